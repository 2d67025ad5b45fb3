package io.plat.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.plat.tests.process.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keys of hash tables in servers. Client texts with equal hash codes make look-ups linear, unless the key's class is {@link Comparable}.
 * Declared types of maps, sets and caches are read from the sources, as class files lack those of variables.
 */
class HashKeysTest {
    private static final Pattern TABLE =
            Pattern.compile("\\b(?:(?:Linked|Concurrent|Sequenced|Sharded)?(?:Hash)?(?:Map|Set)|Cache)<\\s*(?:@Nullable"
                    + " )?([\\w.]+)\\b");

    /** Types of keys with text that are not comparable, each with the reason why clients cannot choose many of them. */
    private static final Map<String, String> NOT_CHOSEN = Map.ofEntries(
            Map.entry("io.plat.engine.access.", "policies of an operator, compared at the command line"),
            Map.entry("io.plat.engine.decided.", "an operator's settings"),
            Map.entry("io.plat.review.explain.Unexplained", "the authorizers that an operator configured"),
            Map.entry("io.plat.http.WebOrigin", "an operator's settings"),
            Map.entry("io.plat.authorization.DecisionCounters$Key", "names of modes and of an operator's authorizers"),
            Map.entry("io.plat.http.authentication.TokenDigest", "SHA-256 of valid tokens"),
            Map.entry("io.plat.apiserver.representation.binary.TypeMeta", "built-in types"),
            Map.entry("List in CertificateVerifier.java", "chains of trusted certificates"),
            Map.entry("List in ClaimPermission.java", "a TreeMap"),
            Map.entry("List in RuleBoxes.java", "a TreeMap"),
            Map.entry("List in ValidationRuleCompiler.java", "types of one definition, whose rules are limited"),
            Map.entry("io.plat.apiserver.type.ResourceType$Id", "types that are served, whose definitions are bounded"),
            Map.entry("io.plat.apiserver.watch.Watches$WatchMeters$WatchLabels", "types that are served"),
            Map.entry("io.plat.apiserver.metrics.", "types that are served"),
            Map.entry("io.plat.http.metrics.", "names of modes and methods"));

    private static Map<String, List<JavaClass>> byName;

    @BeforeAll
    static void readClasses() {
        byName = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.plat").stream()
                        .collect(Collectors.groupingBy(JavaClass::getSimpleName));
    }

    @Test
    void keysWithTextAreOrdered() throws IOException {
        Set<String> violations = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Checkout.root())) {
            for (Path file : files.filter(HashKeysTest::ofServers).toList()) {
                keys(Files.readString(file)).forEach(key -> violations.add(key + " in " + file.getFileName()));
            }
        }
        violations.removeAll(NOT_CHOSEN.keySet());
        assertThat(violations).isEmpty();
    }

    /** A command ends when its user interrupts it, and serves no one else. */
    private static boolean ofServers(Path file) {
        String path = Checkout.root().relativize(file).toString();
        return path.endsWith(".java") && path.contains("src/main/java/") && !path.startsWith("cli/");
    }

    @Test
    void plantedKeysAreDetected() {
        String head = "package io.plat.engine.rbac;\nimport io.plat.engine.decision.Decision;\n";
        assertThat(keys(head + "Set<RbacBinding> a; Map<RbacSubject, String> b; Map<String, RbacSubject> c;"))
                .containsExactly("io.plat.engine.rbac.RbacBinding", "io.plat.engine.rbac.RbacSubject");
        assertThat(keys(head + "Set<RbacRule> a; Map<ObjectKey, String> b; Map<RbacKind, String> c;"))
                .isEmpty();
        assertThat(keys(head + "Map<List<String>, String> a; Set<JsonNode> b = new LinkedHashSet<JsonNode>();"))
                .containsExactly("JsonNode", "List");
    }

    private static Set<String> keys(String source) {
        Set<String> violations = new TreeSet<>();
        Matcher table = TABLE.matcher(source);
        while (table.find()) {
            String name = table.group(1);
            if (Set.of("List", "Map", "JsonNode", "ObjectNode").contains(name)) {
                violations.add(name);
            }
            byName.getOrDefault(name.substring(name.lastIndexOf('.') + 1), List.of()).stream()
                    .filter(type -> isNamed(type, name, source))
                    .filter(type -> holdsText(type, new HashSet<>()) && !isOrdered(type))
                    .map(JavaClass::getFullName)
                    .filter(type -> NOT_CHOSEN.keySet().stream().noneMatch(type::startsWith))
                    .forEach(violations::add);
        }
        return violations;
    }

    /** Returns whether a name in a file refers to this type: by import, declaration or package. */
    private static boolean isNamed(JavaClass type, String name, String source) {
        String full = type.getFullName().replace('$', '.');
        String home = type.getPackageName();
        String top = full.substring(home.length() + 1).replaceFirst("\\..*", "");
        boolean sameFile = Pattern.compile("(?:class|record|interface) " + top + "\\b")
                .matcher(source)
                .find();
        boolean samePackage = source.contains("package " + home + ";");
        return full.endsWith("." + name)
                && (source.contains("import " + full + ";")
                        || (name.contains(".") && source.contains("import " + home + "." + top + ";"))
                        || (samePackage && (sameFile || full.equals(home + "." + name))));
    }

    private static boolean isOrdered(JavaClass type) {
        return type.getRawInterfaces().stream().anyMatch(one -> one.isEquivalentTo(Comparable.class));
    }

    private static boolean holdsText(JavaClass type, Set<JavaClass> seen) {
        if (type.isEquivalentTo(String.class)
                || type.isAssignableTo(Collection.class)
                || type.isAssignableTo(Map.class)) {
            return true;
        }
        List<JavaClass> parts = new ArrayList<>();
        if (type.isRecord() && seen.add(type)) {
            type.getFields().stream()
                    .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                    .map(JavaField::getRawType)
                    .forEach(parts::add);
        }
        return parts.stream().anyMatch(part -> holdsText(part, seen));
    }
}
