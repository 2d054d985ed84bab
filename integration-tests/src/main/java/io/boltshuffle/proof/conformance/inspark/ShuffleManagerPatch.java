package io.boltshuffle.proof.conformance.inspark;

import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;

/** Makes {@code sort} and {@code tungsten-sort} mean another manager instead of Spark's. */
final class ShuffleManagerPatch extends ClassVisitor {

    private static final Type SORT = Type.getObjectType("org/apache/spark/shuffle/sort/SortShuffleManager");
    private final Type manager;

    /** @param manager to be had by these names */
    ShuffleManagerPatch(ClassVisitor changed, Class<?> manager) {
        super(Opcodes.ASM9, changed);
        this.manager = Type.getType(manager);
    }

    static ShuffleManagerPatch ours(ClassVisitor changed) {
        return new ShuffleManagerPatch(changed, SuiteShuffleManager.class);
    }

    static ShuffleManagerPatch stock(ClassVisitor changed) {
        return new ShuffleManagerPatch(changed, SuiteStockManager.class);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
        return new MethodVisitor(Opcodes.ASM9, method) {
            @Override
            public void visitLdcInsn(Object constant) {
                super.visitLdcInsn(constant.equals(SORT) ? manager : constant);
            }
        };
    }
}
