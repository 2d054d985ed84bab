package io.boltshuffle.integration.othersparks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.xbean.asm9.Opcodes;

/**
 * Compares classes of this build with the jars of a Spark that they were not compiled against, as the JVM would link
 * them: what they name that is not there, and what they would have to implement.
 *
 * <p><b>Threads:</b> confined to one.
 */
final class SparkLinkage {
    private static final String SPARK = "org/apache/spark/";

    private final Map<String, ClassFacts> ours;
    private final ClassPool spark;

    private SparkLinkage(Map<String, ClassFacts> ours, ClassPool spark) {
        this.ours = ours;
        this.spark = spark;
    }

    /** @param classes class files by any name */
    static SparkLinkage of(Stream<byte[]> classes, ClassPool spark) {
        Map<String, ClassFacts> ours = new LinkedHashMap<>();
        classes.map(ClassFacts::read).forEach(facts -> ours.put(facts.name(), facts));
        return new SparkLinkage(ours, spark);
    }

    /** @param directories of compiled classes */
    static SparkLinkage of(List<Path> directories, ClassPool spark) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        for (Path directory : directories) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(file -> file.toString().endsWith(".class"))
                        .sorted()
                        .map(SparkLinkage::bytes)
                        .forEach(classes::add);
            }
        }
        return of(classes.stream(), spark);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many classes and members of Spark the classes name. */
    long references() {
        return ours.values().stream()
                .flatMap(facts -> Stream.concat(
                        facts.named().stream().filter(SparkLinkage::isSparks),
                        facts.used().stream().filter(member -> isSparks(member.owner()))))
                .distinct()
                .count();
    }

    /** Returns what the classes name of Spark that it lacks: {@code our class -> class or member}. */
    Set<String> missing() {
        Set<String> missing = new TreeSet<>();
        for (ClassFacts facts : ours.values()) {
            facts.named().stream()
                    .filter(name -> isSparks(name) && find(name).isEmpty())
                    .forEach(name -> missing.add(line(facts, name.replace('/', '.'))));
            facts.used().stream()
                    .filter(member -> find(member.owner()).isPresent() && reachesSpark(member.owner()))
                    .filter(member -> !isDeclared(member))
                    .forEach(member -> missing.add(line(facts, member.toString())));
        }
        return missing;
    }

    /** Returns the abstract methods of Spark's types that a class of ours would have to implement. */
    Set<String> unimplemented() {
        Set<String> lacking = new TreeSet<>();
        for (ClassFacts facts : ours.values()) {
            if (!facts.has(Opcodes.ACC_ABSTRACT) && reachesSpark(facts.name())) {
                abstractMethods(facts).forEach(member -> lacking.add(line(facts, member.toString())));
            }
        }
        return lacking;
    }

    /**
     * Returns the methods that a class of ours inherits from a class of Spark and could override: one that stands in
     * front of another object of that type has to pass them on.
     */
    Set<String> inherited(String wrapper) {
        Set<String> inherited = new TreeSet<>();
        Set<String> overridden = new LinkedHashSet<>(
                Objects.requireNonNull(ours.get(wrapper), wrapper).members().keySet());
        for (ClassFacts above : lineage(wrapper)) {
            if (isSparks(above.name())) {
                above.members().forEach((signature, access) -> {
                    int fixed = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_ABSTRACT;
                    if (signature.contains("(")
                            && !signature.startsWith("<")
                            && (access & fixed) == 0
                            && !overridden.contains(signature)) {
                        inherited.add(signature);
                    }
                });
            }
        }
        return inherited;
    }

    /** Returns those of the classes that call one of Java's ways to look something up by its name. */
    Set<String> reflective() {
        Set<String> reflective = new TreeSet<>();
        for (ClassFacts facts : ours.values()) {
            boolean looksUp = facts.used().stream().anyMatch(member -> switch (member.owner()) {
                case "java/lang/Class" ->
                    member.signature().matches("(get(Declared)?(Field|Method|Constructor)s?|forName)\\(.*");
                case "java/lang/invoke/MethodHandles$Lookup" ->
                    member.signature().matches("(find|unreflect).*");
                default -> false;
            });
            if (looksUp) {
                reflective.add(facts.name().replace('/', '.'));
            }
        }
        return reflective;
    }

    private static boolean isSparks(String name) {
        return name.startsWith(SPARK);
    }

    private static String line(ClassFacts from, String to) {
        return from.name().replace('/', '.') + " -> " + to;
    }

    private Optional<ClassFacts> find(String name) {
        return Optional.ofNullable(ours.get(name)).or(() -> spark.find(name));
    }

    /** Returns the class and everything above it that can be found, superclasses first. */
    private List<ClassFacts> lineage(String name) {
        Map<String, ClassFacts> found = new LinkedHashMap<>();
        for (Optional<ClassFacts> next = find(name); next.isPresent(); ) {
            ClassFacts facts = next.get();
            found.put(facts.name(), facts);
            boolean hasSuperclass =
                    !facts.has(Opcodes.ACC_INTERFACE) && !facts.supertypes().isEmpty();
            next = hasSuperclass ? find(facts.supertypes().get(0)) : Optional.empty();
        }
        List<ClassFacts> waiting = new ArrayList<>(found.values());
        while (!waiting.isEmpty()) {
            for (String type : waiting.remove(0).supertypes()) {
                find(type)
                        .filter(facts -> found.putIfAbsent(facts.name(), facts) == null)
                        .ifPresent(waiting::add);
            }
        }
        return List.copyOf(found.values());
    }

    private boolean reachesSpark(String name) {
        return isSparks(name) || lineage(name).stream().anyMatch(facts -> isSparks(facts.name()));
    }

    /** Returns whether a member is where it is looked for or above; true if a type above is not in the jars. */
    private boolean isDeclared(ClassFacts.Member member) {
        List<ClassFacts> lineage = lineage(member.owner());
        boolean isInObject = member.signature().contains("(")
                && spark.find("java/lang/Object").orElseThrow().members().containsKey(member.signature());
        return isInObject
                || lineage.stream().anyMatch(facts -> facts.members().containsKey(member.signature()))
                || lineage.stream()
                        .flatMap(facts -> facts.supertypes().stream())
                        .anyMatch(type -> find(type).isEmpty());
    }

    private Set<ClassFacts.Member> abstractMethods(ClassFacts facts) {
        Set<ClassFacts.Member> lacking = new LinkedHashSet<>();
        List<ClassFacts> lineage = lineage(facts.name());
        for (ClassFacts above : lineage) {
            above.members().keySet().stream()
                    .filter(above::isAbstract)
                    .filter(signature -> lineage.stream()
                            .noneMatch(each -> each.members().containsKey(signature) && !each.isAbstract(signature)))
                    .forEach(signature -> lacking.add(new ClassFacts.Member(above.name(), signature)));
        }
        return lacking;
    }
}
