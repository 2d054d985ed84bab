package io.boltshuffle.conformance;

import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;

/** Makes {@code sort} and {@code tungsten-sort} mean the plugin's manager instead of Spark's. */
final class ShuffleManagerPatch extends ClassVisitor {

    private static final Type SORT = Type.getObjectType("org/apache/spark/shuffle/sort/SortShuffleManager");
    private static final Type OURS = Type.getType(SuiteShuffleManager.class);

    ShuffleManagerPatch(ClassVisitor changed) {
        super(Opcodes.ASM9, changed);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
        return new MethodVisitor(Opcodes.ASM9, method) {
            @Override
            public void visitLdcInsn(Object constant) {
                super.visitLdcInsn(constant.equals(SORT) ? OURS : constant);
            }
        };
    }
}
