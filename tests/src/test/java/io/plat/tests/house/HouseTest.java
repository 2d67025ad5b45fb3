package io.plat.tests.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.TSFBuilder;
import com.fasterxml.jackson.core.TokenStreamFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.plat.engine.lookup.Frozen;
import io.plat.review.json.JsonFactories;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Module and package dependencies (ARCHITECTURE.md, "Modules") and the naming rules (CONTRIBUTING.md). */
class HouseTest {
    private static final Pattern FORBIDDEN_WORD =
            Pattern.compile("(?i)(^|\\.)(util|utils|common|helper|helpers|core|misc|manager)(\\.|$)");
    private static final Pattern FORBIDDEN_CLASS = Pattern.compile(".*(Util|Utils|Common|Helper|Misc|Manager|Impl)");

    /** The slices of a module are its root package and each subpackage with its descendants. */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String[] names = type.getPackageName().split("\\.", -1);
            return names.length < 3
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(names[2], names.length == 3 ? "" : names[3]);
        }

        @Override
        public String getDescription() {
            return "packages of the modules";
        }
    };

    private static JavaClasses product;

    @BeforeAll
    static void readClasses() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.plat");
        assertThat(product).as("classes of the product").hasSizeGreaterThan(50);
    }

    /** Columns: packages of a module, and the packages that it must not depend on. */
    @ParameterizedTest(name = "{0} knows nothing of the layers above it")
    @CsvSource(delimiter = '|', textBlock = """
        client    | process tls review cel engine http authorization fronts envoy decider apiserver cli
        process   | client tls review cel engine http authorization fronts envoy decider apiserver cli
        tls       | client review cel engine http authorization fronts envoy decider apiserver cli
        review    | client cel engine http authorization fronts envoy decider apiserver cli
        cel       | client engine http authorization fronts envoy decider apiserver cli
        engine    | cel http authorization fronts envoy decider apiserver cli
        http      | client cel engine authorization fronts envoy decider apiserver cli
        authorization | fronts envoy decider apiserver cli
        fronts    | authorization envoy decider apiserver cli
        envoy     | authorization decider apiserver cli
        decider   | apiserver cli
        apiserver | decider cli
        cli       | cel http authorization decider apiserver
        """)
    void moduleDependenciesFollowTheLayers(String module, String forbidden) {
        String[] packages = Stream.of(forbidden.split(" "))
                .map(name -> "io.plat." + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("io.plat." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(product);
    }

    @Test
    void engineDependsOnNoHttpServerOrDatabase() {
        noClasses()
                .that()
                .resideInAnyPackage("io.plat.tls..", "io.plat.review..", "io.plat.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.eclipse.jetty..", "java.sql..", "com.fasterxml.jackson.databind..")
                .check(product);
    }

    /** The JDK's expressions backtrack: text of clients, which may have megabytes, can make one of them run for hours. */
    @Test
    void clientTextIsMatchedInLinearTime() {
        noClasses()
                .that()
                .resideInAnyPackage("io.plat.apiserver..", "io.plat.cel..")
                .and()
                // It reads messages of etcd.
                .resideOutsideOfPackage("io.plat.apiserver.etcd")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.regex")
                .check(product);
    }

    /** The JDK's immutable sets and maps probe linearly: texts of clients whose hash codes collide take quadratic time. */
    @Test
    void copiesOfClientTextAreHashedInConstantTime() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.plat.apiserver..",
                        "io.plat.cel..",
                        "io.plat.engine..",
                        "io.plat.fronts..",
                        "io.plat.review..")
                .and()
                .doNotBelongToAnyOf(Frozen.class)
                .should()
                .accessTargetWhere(DescribedPredicate.describe("make a copy that probes linearly", HouseTest::probes))
                .check(product);
    }

    /** A text takes up to forty times its length as a tree: in requests it is charged before. The others read what was charged, or is ours. */
    @Test
    void clientTextIsChargedBeforeItIsParsed() {
        noClasses()
                .that()
                .resideInAPackage("io.plat.apiserver..")
                .and()
                .haveSimpleNameNotContaining("ClientJson")
                .and()
                .haveNameNotMatching(
                        ".*\\.(tree\\.(Json|ProgramData)|stored\\.StoredForm|openapi\\.GnosticEncoder|garbage\\.GraphNode"
                                + "|representation\\.(TableRepresentation|YamlRepresentation))")
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "parse a tree",
                        access -> access.getTarget().getOwner().isAssignableTo(ObjectMapper.class)
                                && access.getName().startsWith("read")))
                .check(product);
    }

    private static boolean probes(JavaAccess<?> access) {
        JavaClass owner = access.getTarget().getOwner();
        return owner.isEquivalentTo(Collectors.class)
                ? Set.of("toUnmodifiableSet", "toUnmodifiableMap").contains(access.getName())
                : (owner.isEquivalentTo(Set.class) || owner.isEquivalentTo(Map.class))
                        && access.getName().equals("copyOf");
    }

    @Test
    void clientDependsOnJacksonAndTheJdkOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.plat.client..")
                .and()
                .resideOutsideOfPackage("io.plat.client.metrics")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "io.plat.client..",
                        "java..",
                        "javax.net..",
                        "jdk.net",
                        "com.fasterxml.jackson.core..",
                        "org.jspecify..")
                .check(product);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(product);
    }

    @Test
    void authorizersAreIndependentOfEachOther() {
        Stream.of("abac", "rbac", "always", "union", "webhook", "plugin")
                .forEach(one -> noClasses()
                        .that()
                        .resideInAPackage("io.plat.engine." + one + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(Stream.of("abac", "rbac", "always", "union", "webhook", "plugin")
                                .filter(other -> !other.equals(one))
                                .map(other -> "io.plat.engine." + other + "..")
                                .toArray(String[]::new))
                        .check(product));
    }

    @Test
    void pluginApiDependsOnTheJdkOnly() {
        noClasses()
                .that()
                .resideInAPackage("io.plat.engine.plugin")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.plat.engine.plugin", "java..", "org.jspecify..")
                .check(product);
    }

    @Test
    void everyPackageIsDocumentedAndNullMarked() {
        Set<String> without = new TreeSet<>();
        for (JavaClass type : product) {
            JavaPackage home = type.getPackage();
            if (!home.isAnnotatedWith(NullMarked.class)) {
                without.add(home.getName());
            }
        }
        assertThat(without).as("packages without a @NullMarked package-info").isEmpty();
    }

    @Test
    void vagueNamesAreForbidden() {
        Set<String> offending = new TreeSet<>();
        for (JavaClass type : product) {
            if (FORBIDDEN_WORD.matcher(type.getPackageName()).find()
                    || FORBIDDEN_CLASS.matcher(type.getSimpleName()).matches()) {
                offending.add(type.getFullName());
            }
        }
        assertThat(offending).isEmpty();
    }

    /** A nested class is read with the name of its outer class. */
    @Test
    void simpleNamesAreUnique() {
        Map<String, Set<String>> bySimpleName = product.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getPackageName, Collectors.toSet())));
        bySimpleName.values().removeIf(packages -> packages.size() == 1);
        assertThat(bySimpleName).as("simple names with two meanings").isEmpty();
    }

    @Test
    void onlyMainClassesExitTheProcess() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.plat.cli.Plat")
                .and()
                .resideOutsideOfPackage("io.plat.http.process..")
                .and()
                .haveSimpleNameNotEndingWith("Decider")
                .and()
                .haveSimpleNameNotEndingWith("ApiServer")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(product);
    }

    /** Everything that starts a thread. {@code CompletableFuture.orTimeout} and similar methods only use the JDK's timer. */
    @Test
    void threadsAndExecutorsAreCreatedInOnePackage() {
        DescribedPredicate<JavaAccess<?>> startsThreads = DescribedPredicate.describe(
                "begin a thread", access -> beginsThread(access.getTarget().getOwner(), access.getName()));
        noClasses()
                .that()
                .resideOutsideOfPackage("io.plat.process")
                .and()
                // The client library runs in other programs and has its own threads, without supervision.
                .haveNameNotMatching("io\\.plat\\.client\\.remote\\.DaemonThreads(\\$.*)?")
                .should()
                .accessTargetWhere(startsThreads)
                .orShould()
                .beAssignableTo(Thread.class)
                .check(product);
    }

    private static boolean beginsThread(JavaClass owner, String method) {
        boolean created = method.equals("<init>");
        return (owner.isAssignableTo(Thread.class)
                        && (created
                                || Set.of("ofVirtual", "ofPlatform", "startVirtualThread")
                                        .contains(method)))
                || owner.isEquivalentTo(Executors.class)
                || (created && (owner.isAssignableTo(ExecutorService.class) || owner.isAssignableTo(Timer.class)))
                || (owner.isAssignableTo(ForkJoinPool.class) && method.equals("commonPool"))
                || (owner.isAssignableTo(CompletionStage.class)
                        && (method.endsWith("Async") || method.equals("delayedExecutor")))
                || owner.isEquivalentTo(Cleaner.class)
                || owner.getName().startsWith("java.util.concurrent.StructuredTaskScope")
                || (owner.isAssignableTo(BaseStream.class) && method.equals("parallel"))
                || method.equals("parallelStream");
    }

    /** Parsers of other factories share a symbol table, which clients can fill ({@code JsonFactories}). */
    @Test
    void parserFactoriesAreCreatedInOnePlace() {
        noClasses()
                .that()
                .haveNameNotMatching(Pattern.quote(JsonFactories.class.getName()) + "(\\$.*)?")
                .and()
                // The client library depends on no other module, and has an equivalent factory.
                .doNotHaveFullyQualifiedName("io.plat.client.remote.WireJson")
                .should()
                .accessTargetWhere(DescribedPredicate.describe("make a factory of parsers", HouseTest::makesFactory))
                .check(product);
        assertThat(List.of(JsonFactories.create(), JsonFactories.builder().build()))
                .noneMatch(factory -> factory.isEnabled(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES))
                .noneMatch(factory -> factory.isEnabled(JsonFactory.Feature.INTERN_FIELD_NAMES));
    }

    private static boolean makesFactory(JavaAccess<?> access) {
        JavaClass owner = access.getTarget().getOwner();
        boolean created = Set.of("<init>", "builder", "copy", "rebuild").contains(access.getName());
        boolean ofFactory = access.getTarget() instanceof CodeUnitAccessTarget target
                && target.getRawParameterTypes().stream().anyMatch(given -> given.isAssignableTo(JsonFactory.class));
        return (created
                        && (owner.isAssignableTo(TokenStreamFactory.class)
                                || owner.isAssignableTo(TSFBuilder.class)
                                || (owner.isAssignableTo(ObjectMapper.class) && !ofFactory)))
                // Symbol tables that are enabled again.
                || (Set.of("enable", "configure").contains(access.getName())
                        && access.getTarget() instanceof CodeUnitAccessTarget switched
                        && switched.getRawParameterTypes().stream()
                                .anyMatch(given -> given.isAssignableTo(JsonFactory.Feature.class)));
    }

    @Test
    void stackTracesAreNotPrinted() {
        noClasses().should().callMethod(Throwable.class, "printStackTrace").check(product);
    }
}
