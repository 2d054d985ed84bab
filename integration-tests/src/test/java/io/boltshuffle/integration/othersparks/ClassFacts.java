package io.boltshuffle.integration.othersparks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.ConstantDynamic;
import org.apache.xbean.asm9.FieldVisitor;
import org.apache.xbean.asm9.Handle;
import org.apache.xbean.asm9.Label;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.jspecify.annotations.Nullable;

/**
 * The facts in a class file: names are those of the class file, such as {@code java/util/List}.
 *
 * @param supertypes its superclass, if it has one, and its interfaces
 * @param members access flags of its methods and fields, by name and descriptor
 * @param named the classes that it names
 * @param used the members of other classes that it uses
 */
record ClassFacts(
        String name,
        int access,
        List<String> supertypes,
        Map<String, Integer> members,
        Set<String> named,
        Set<Member> used) {

    /** A method, whose descriptor begins with a parenthesis, or a field. */
    record Member(String owner, String signature) {
        @Override
        public String toString() {
            return owner.replace('/', '.') + "." + signature;
        }
    }

    static ClassFacts read(byte[] classFile) {
        Reader reader = new Reader();
        new ClassReader(classFile).accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassFacts(reader.name, reader.access, reader.supertypes, reader.members, reader.named, reader.used);
    }

    boolean has(int flag) {
        return (access & flag) != 0;
    }

    boolean isAbstract(String signature) {
        return (members.getOrDefault(signature, 0) & Opcodes.ACC_ABSTRACT) != 0;
    }

    private static final class Reader extends ClassVisitor {
        private String name = "";
        private int access;
        private final List<String> supertypes = new ArrayList<>();
        private final Map<String, Integer> members = new HashMap<>();
        private final Set<String> named = new LinkedHashSet<>();
        private final Set<Member> used = new LinkedHashSet<>();

        Reader() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superclass,
                String @Nullable [] interfaces) {
            this.name = name;
            this.access = access;
            if (superclass != null) {
                supertypes.add(superclass);
            }
            if (interfaces != null) {
                supertypes.addAll(List.of(interfaces));
            }
            named.addAll(supertypes);
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            members.put(name + " " + descriptor, access);
            name(Type.getType(descriptor));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            members.put(name + descriptor, access);
            name(Type.getMethodType(descriptor));
            return new CodeReader(this);
        }

        private void name(Type type) {
            switch (type.getSort()) {
                case Type.ARRAY -> name(type.getElementType());
                case Type.OBJECT -> named.add(type.getInternalName());
                case Type.METHOD -> {
                    name(type.getReturnType());
                    List.of(type.getArgumentTypes()).forEach(this::name);
                }
                default -> {} // a primitive
            }
        }

        private void use(String owner, String signature) {
            if (!owner.startsWith("[")) { // an array's methods are Object's
                used.add(new Member(owner, signature));
            }
            name(Type.getObjectType(owner));
        }

        private void use(Object constant) {
            if (constant instanceof Type type) {
                name(type);
            } else if (constant instanceof Handle handle) {
                boolean isField = handle.getTag() <= Opcodes.H_PUTSTATIC;
                use(handle.getOwner(), handle.getName() + (isField ? " " : "") + handle.getDesc());
            } else if (constant instanceof ConstantDynamic dynamic) {
                use(dynamic.getBootstrapMethod());
            }
        }
    }

    private static final class CodeReader extends MethodVisitor {
        private final Reader of;
        private final Consumer<Object> constants;

        CodeReader(Reader of) {
            super(Opcodes.ASM9);
            this.of = of;
            this.constants = of::use;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            of.name(Type.getObjectType(type));
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            of.use(owner, name + " " + descriptor);
            of.name(Type.getType(descriptor));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            of.use(owner, name + descriptor);
            of.name(Type.getMethodType(descriptor));
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            of.name(Type.getMethodType(descriptor));
            List.of(arguments).forEach(constants);
        }

        @Override
        public void visitLdcInsn(Object constant) {
            of.use(constant);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            of.name(Type.getType(descriptor));
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            if (type != null) {
                of.name(Type.getObjectType(type));
            }
        }
    }
}
