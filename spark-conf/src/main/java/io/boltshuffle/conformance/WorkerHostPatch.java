package io.boltshuffle.conformance;

import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** A worker that is started with a number, as those of a {@code local-cluster} are, gets a host of its own. */
final class WorkerHostPatch extends ClassVisitor {

    private static final String METHOD = "startRpcEnvAndEndpoint";

    /** Parameters of that method, by their places in its frame; it is an instance method of Scala's companion object. */
    private static final int HOST = 1;

    private static final int WORKER_NUMBER = 8;

    WorkerHostPatch(ClassVisitor changed) {
        super(Opcodes.ASM9, changed);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
        return name.equals(METHOD) ? new AtEntry(method) : method;
    }

    private static final class AtEntry extends MethodVisitor {

        AtEntry(MethodVisitor method) {
            super(Opcodes.ASM9, method);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitVarInsn(Opcodes.ALOAD, HOST);
            visitVarInsn(Opcodes.ALOAD, WORKER_NUMBER);
            visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    Type.getInternalName(SuiteHosts.class),
                    "hostOf",
                    Type.getMethodDescriptor(
                            Type.getType(String.class), Type.getType(String.class), Type.getType(Option.class)),
                    false);
            visitVarInsn(Opcodes.ASTORE, HOST);
        }
    }
}
