package io.boltshuffle.cli.base;

import java.util.List;

/** Adds verbs to {@code bolt} from another jar on its class path: in a checkout, those that measure and prove. */
public interface SubcommandProvider {

    /** Returns classes of picocli commands that can be created without arguments. */
    List<Class<?>> verbs();
}
