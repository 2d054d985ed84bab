package io.boltshuffle.proof.conformance.inspark;

import org.apache.spark.SparkContext;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;

/** Gives a context the settings of the run before Spark looks for plugins, which is before it makes the manager. */
final class PluginPatch extends ClassVisitor {

    private static final Type CONTEXT = Type.getType(SparkContext.class);

    PluginPatch(ClassVisitor changed) {
        super(Opcodes.ASM9, changed);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean isOfDriver = name.equals("apply") && descriptor.startsWith("(" + CONTEXT.getDescriptor());
        return isOfDriver ? new AtEntry(method) : method;
    }

    private static final class AtEntry extends MethodVisitor {

        AtEntry(MethodVisitor method) {
            super(Opcodes.ASM9, method);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitVarInsn(Opcodes.ALOAD, 1);
            visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    Type.getInternalName(SuiteSettings.class),
                    "addTo",
                    Type.getMethodDescriptor(Type.VOID_TYPE, CONTEXT),
                    false);
        }
    }
}
