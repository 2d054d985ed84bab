package io.boltshuffle.conformance;

import org.apache.xbean.asm9.ClassVisitor;

/** A change to one class, as it is loaded. */
@FunctionalInterface
interface ClassPatch {

    /** @param changed takes the class as it shall be */
    ClassVisitor over(ClassVisitor changed);
}
