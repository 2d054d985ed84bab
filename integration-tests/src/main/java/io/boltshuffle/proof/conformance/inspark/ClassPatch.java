package io.boltshuffle.proof.conformance.inspark;

import org.apache.xbean.asm9.ClassVisitor;

/** A change to one class, as it is loaded. */
@FunctionalInterface
interface ClassPatch {

    /** @param changed takes the changed class */
    ClassVisitor over(ClassVisitor changed);
}
