package io.boltshuffle.proof.conformance.inspark;

import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Changes one parameter of one method: a function of {@link SuiteHosts} computes it from its value and another one. */
final class ParameterPatch extends ClassVisitor {

    private static final Type STRING = Type.getType(String.class);

    private final Target target;

    /**
     * @param method its name
     * @param parameters the beginning of its descriptor
     * @param changed the place of a string in the method's frame
     * @param other the place of the function's other argument
     * @param function of {@link SuiteHosts}
     */
    private record Target(
            String method, String parameters, int changed, int other, String function, Type functionOther) {

        boolean is(String name, String descriptor) {
            return name.equals(method) && descriptor.startsWith(parameters);
        }
    }

    private ParameterPatch(ClassVisitor patched, Target target) {
        super(Opcodes.ASM9, patched);
        this.target = target;
    }

    /** Gives a host of its own to a worker that is started with a number, as those of a {@code local-cluster} are. */
    static ParameterPatch workerHost(ClassVisitor patched) {
        return new ParameterPatch(
                patched, new Target("startRpcEnvAndEndpoint", "(", 1, 8, "hostOf", Type.getType(Option.class)));
    }

    /** Runs the session that suites of SQL share on a cluster. */
    static ParameterPatch sqlMaster(ClassVisitor patched) {
        String masterAndName = "(" + STRING + STRING + "Lorg/apache/spark/SparkConf;)";
        return new ParameterPatch(patched, new Target("<init>", masterAndName, 1, 2, "masterOf", STRING));
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
        return target.is(name, descriptor) ? new AtEntry(method, target) : method;
    }

    private static final class AtEntry extends MethodVisitor {

        private final Target target;

        AtEntry(MethodVisitor method, Target target) {
            super(Opcodes.ASM9, method);
            this.target = target;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitVarInsn(Opcodes.ALOAD, target.changed());
            visitVarInsn(Opcodes.ALOAD, target.other());
            visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    Type.getInternalName(SuiteHosts.class),
                    target.function(),
                    Type.getMethodDescriptor(STRING, STRING, target.functionOther()),
                    false);
            visitVarInsn(Opcodes.ASTORE, target.changed());
        }
    }
}
