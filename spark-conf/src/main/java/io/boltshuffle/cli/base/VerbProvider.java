package io.boltshuffle.cli.base;

import java.util.List;

/** More verbs of {@code bolt}, from another jar on its class path: in a checkout, those that measure and prove. */
public interface VerbProvider {

    /** Classes of picocli commands that can be made without arguments. */
    List<Class<?>> verbs();
}
