package io.plat.apiserver.custom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Parsing, merging and validating an adversarial request costs at most five times an ordinary one of the same size and operation. Compares
 * the minimal CPU time of several repetitions; the worst ratio is printed.
 */
class AdversarialCostTest {
    private static final double MOST = 5;

    /** By default each request is short and repeated a few times only, during JIT compilation. */
    private static final double TOLERATED = Boolean.getBoolean("plat.full") ? MOST : 2 * MOST;

    /** Small by default: superlinear cost shows in a request of 100 KB too. */
    private static final int SIZE = Boolean.getBoolean("plat.full") ? 3 << 20 : 100 << 10;

    private static final int REPETITIONS = 7;

    /** The first one warms up. A superlinear cost exceeds the limit by far, so that the default run needs no third one. */
    private static final int FEWEST = Boolean.getBoolean("plat.full") ? 3 : 2;

    /** Size of a list within a definition, which may be smaller than other objects. */
    private static final int DEFINED = 100 << 10;

    /** Rest of an ordinary field: a definition of 3 MiB consists of descriptions mostly; with as many fields as fit, it is refused early. */
    private static final String FIELD =
            Boolean.getBoolean("plat.full") ? "\"description\":\"" + "words ".repeat(14) + "\"" : "\"minLength\":1";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final WriteOptions DRY =
            new WriteOptions(true, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, "tester", true, null);

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private final DefinitionForm form = new DefinitionForm(new StorageRegistry(ResourceCatalog.builtIn()));
    private final ResourceCatalog catalog = ResourceCatalog.builtIn().withForm(ResourceCatalog.DEFINITIONS, form);
    private final Map<String, Double> ratios = new TreeMap<>();
    private CustomTypes types;
    private ResourceOperations operations;

    AdversarialCostTest() throws StorageException {
        types = CustomTypes.follow(store, form, Clock.systemUTC());
        operations = ResourceOperations.start(
                types.store(),
                catalog,
                types,
                new ObjectIdentity(Clock.systemUTC(), new Random(1)),
                ResourceOperations.Settings.DEFAULT);
    }

    /** A request, whether or not it is refused. */
    private static final class Request {
        private final byte[] body;
        private final Operation operation;

        Request(String body, Operation operation) {
            this.body = body.getBytes(UTF_8);
            this.operation = operation;
        }

        void run() throws StatusException {
            // As for request bodies.
            RequestMemory.current().charge(3 * TreeSize.of(body));
            operation.run(body);
        }
    }

    private interface Operation {
        void run(byte[] body) throws StatusException;
    }

    private long nanos(Request request) {
        long before = THREADS.getCurrentThreadCpuTime();
        RequestMemory.serving(() -> "tester", () -> {
            try {
                request.run();
            } catch (StatusException | RequestLimitException refused) {
                assertThat(refused).isNotNull();
            }
        });
        return THREADS.getCurrentThreadCpuTime() - before;
    }

    /** Repeats both until their minimal times are within the limit, usually at once, or often enough. */
    private void compare(String name, Request benign, Request adversarial) {
        long ordinary = Long.MAX_VALUE;
        long hostile = Long.MAX_VALUE;
        for (int i = 0; i < REPETITIONS && (i < FEWEST || hostile > MOST * ordinary); i++) {
            ordinary = Math.min(ordinary, nanos(benign));
            hostile = Math.min(hostile, nanos(adversarial));
        }
        ratios.put(name, (double) hostile / ordinary);
        System.out.printf(
                "%-40s ordinary %8.2f ms, adversarial %8.2f ms, ratio %.2f%n",
                name, ordinary / 1e6, hostile / 1e6, (double) hostile / ordinary);
    }

    private Target target(String group, String version, String resource, String name) {
        return new Target(
                types.now()
                        .find(group, version, resource)
                        .or(() -> catalog.find(group, version, resource))
                        .orElseThrow(),
                "default",
                name);
    }

    private Request create(Target target, String body) {
        return new Request(body, bytes -> operations.create(target, Api.typed(target.type(), body), DRY));
    }

    private Request patch(Target target, PatchFormat format, String body) {
        return new Request(body, bytes -> operations.patch(target, null, format, bytes, DRY));
    }

    private Request apply(Target target, String body) {
        return new Request(
                body,
                bytes -> operations.apply(target, null, ObjectBody.json(target.type(), bytes), DRY, WriteCheck.NONE));
    }

    /** Changes all numbers of an object, which another manager owns. */
    private Request conflict(Target target, String name, String body) {
        WriteOptions unforced =
                new WriteOptions(true, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, "tester", false, null);
        return new Request(
                body.replace("\"b\"", quoted(name)).replace(":1", ":2"),
                bytes -> operations.apply(
                        target.named(name), null, ObjectBody.json(target.type(), bytes), unforced, WriteCheck.NONE));
    }

    private void given(Target target, String body) throws StatusException {
        operations.create(target, Api.typed(target.type(), body), WriteOptions.DEFAULT);
    }

    private void define(String name, String schema) throws StatusException {
        given(
                new Target(
                        catalog.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                                .orElseThrow(),
                        "",
                        ""),
                """
                {"metadata":{"name":"%1$ss.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
                "names":{"plural":"%1$ss","kind":"%2$s"},"versions":[{"name":"v1","served":true,"storage":true,
                "schema":{"openAPIV3Schema":{"type":"object","properties":{"v":%3$s}}}}]}}\
                """.formatted(name, Character.toUpperCase(name.charAt(0)) + name.substring(1), schema));
    }

    /** As many values as fit into the request size. */
    private static String filled(IntFunction<String> value) {
        return filled(value, SIZE);
    }

    private static String filled(IntFunction<String> value, int size) {
        var text = new StringBuilder();
        for (int i = 0; text.length() < size; i++) {
            text.append(i == 0 ? "" : ",").append(value.apply(i));
        }
        return text.toString();
    }

    /** Returns one of 2^18 texts of 36 characters with equal hashes. */
    private static String colliding(int i) {
        var text = new StringBuilder();
        for (int bit = 17; bit >= 0; bit--) {
            text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    private static String ordinary(int i) {
        return "key-" + "x".repeat(24) + String.format("%08d", i);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static String named(String fields) {
        return "{\"metadata\":{\"name\":\"a\"}," + fields + "}";
    }

    private static String nested(int depth, String value) {
        return "[".repeat(depth) + value + "]".repeat(depth);
    }

    @Test
    void adversarialContentChangesTheCostLittle() throws StatusException {
        define("any", "{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}");
        define("set", "{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"string\"}}");
        define("keyed", """
            {"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
            "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}\
            """);
        define("plain", "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}}");
        define("costly", "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(x?){500}y$\"}}");
        define("number", "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":1}}");
        define(
                "enum",
                "{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"enum\":["
                        + filled(i -> Integer.toString(i + 100_000), DEFINED) + "]}}");
        for (Map.Entry<String, String> junctor : JUNCTORS.entrySet()) {
            define(junctor.getKey(), junctor.getValue());
        }
        Target maps = target("", "v1", "configmaps", "");
        Target pods = target("", "v1", "pods", "");
        given(maps, "{\"metadata\":{\"name\":\"a\"}}");
        given(pods, "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
        given(target("example.com", "v1", "anys", ""), named("\"v\":{}").replace("\"a\"", "\"b\""));
        equalHashes(maps, pods);
        nesting();
        keysAndNumbers(maps);
        managers(maps);
        regularExpressions();
        junctors();
        definitions();
        selectors();
        lists(pods);
        nodePorts();
        longValues();
        patches(maps);
        updates();
        double worst =
                ratios.values().stream().mapToDouble(ratio -> ratio).max().orElseThrow();
        System.out.printf("worst ratio %.2f of %d%n", worst, ratios.size());
        assertThat(ratios)
                .allSatisfy((name, ratio) -> assertThat(ratio).as(name).isLessThan(TOLERATED));
    }

    private static String data(IntFunction<String> key) {
        return "\"data\":{" + filled(i -> quoted(key.apply(i)) + ":\"value of it\"") + "}";
    }

    private void equalHashes(Target maps, Target pods) {
        String ordinary = data(AdversarialCostTest::ordinary);
        String colliding = data(AdversarialCostTest::colliding);
        Target map = maps.named("a");
        compare("equal hashes, create", create(maps, named(ordinary)), create(maps, named(colliding)));
        compare(
                "equal hashes, merge patch",
                patch(map, PatchFormat.MERGE, "{" + ordinary + "}"),
                patch(map, PatchFormat.MERGE, "{" + colliding + "}"));
        compare(
                "equal hashes, apply",
                apply(
                        map,
                        named(ordinary)
                                .replace(
                                        "{\"metadata\"", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\"")),
                apply(
                        map,
                        named(colliding)
                                .replace(
                                        "{\"metadata\"",
                                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\"")));
        for (String list : new String[] {"volumes", "containers"}) {
            compare(
                    "equal hashes, strategic " + list,
                    patch(
                            pods.named("a"),
                            PatchFormat.STRATEGIC_MERGE,
                            items("spec", list, AdversarialCostTest::ordinary)),
                    patch(
                            pods.named("a"),
                            PatchFormat.STRATEGIC_MERGE,
                            items("spec", list, AdversarialCostTest::colliding)));
        }
        compare(
                "equal hashes, deleted from a list",
                patch(pods.named("a"), PatchFormat.STRATEGIC_MERGE, removed(AdversarialCostTest::ordinary)),
                patch(pods.named("a"), PatchFormat.STRATEGIC_MERGE, removed(AdversarialCostTest::colliding)));
        for (String name : new String[] {"set", "keyed"}) {
            Target type = target("example.com", "v1", name + "s", "");
            IntFunction<String> wrap = name.equals("set") ? i -> "%s" : i -> "{\"k\":%s}";
            compare(
                    "equal hashes, list-type " + name,
                    create(type, named("\"v\":[" + filled(i -> wrap.apply(i).formatted(quoted(ordinary(i)))) + "]")),
                    create(type, named("\"v\":[" + filled(i -> wrap.apply(i).formatted(quoted(colliding(i)))) + "]")));
        }
    }

    private static String items(String part, String list, IntFunction<String> name) {
        return "{\"" + part + "\":{\"" + list + "\":[" + filled(i -> "{\"name\":" + quoted(name.apply(i)) + "}")
                + "]}}";
    }

    private static String removed(IntFunction<String> name) {
        return "{\"metadata\":{\"finalizers\":[" + filled(i -> quoted(name.apply(i)))
                + "],\"$deleteFromPrimitiveList/finalizers\":[" + filled(i -> quoted(name.apply(i))) + "]}}";
    }

    /** Elements that are compared with those of the stored object. */
    private void updates() throws StatusException {
        Target policies = target("networking.k8s.io", "v1", "networkpolicies", "");
        String spec = "\"spec\":{\"podSelector\":{},\"ingress\":[{\"from\":["
                + filled(
                        i -> "{\"ipBlock\":{\"cidr\":\"%d.%d.%d.0/24\"}}"
                                .formatted(10 + i / 65536, i / 256 % 256, i % 256),
                        SIZE - (2 << 10))
                + "]}]}";
        given(policies, named(spec));
        compare(
                "networks of a policy, merge patch",
                create(policies, named(spec).replace("\"a\"", "\"b\"")),
                patch(policies.named("a"), PatchFormat.MERGE, "{" + spec.replace(".0/24", ".0/25") + "}"));
    }

    private void nesting() throws StatusException {
        Target any = target("example.com", "v1", "anys", "");
        String flat = "\"v\":{\"l\":["
                + filled(i -> "{\"name\":" + quoted(ordinary(i)) + ",\"value\":" + i + ",\"enabled\":true}")
                + "]}";
        String deep = "\"v\":{\"l\":" + nested(100, filled(i -> "\"" + i + "\"")) + "}";
        String towers = "\"v\":{\"l\":[" + filled(i -> nested(100, "1")) + "]}";
        String objects = "\"v\":" + "{\"a\":".repeat(100) + "[" + filled(i -> "\"" + i + "\"") + "]" + "}".repeat(100);
        String head = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Any\",\"metadata\":{\"name\":\"b\"},";
        for (Map.Entry<String, String> each :
                Map.of("deep", deep, "towers", towers, "objects", objects).entrySet()) {
            compare("nesting, create, " + each.getKey(), create(any, named(flat)), create(any, named(each.getValue())));
            compare(
                    "nesting, merge patch, " + each.getKey(),
                    patch(any.named("b"), PatchFormat.MERGE, "{" + flat + "}"),
                    patch(any.named("b"), PatchFormat.MERGE, "{" + each.getValue() + "}"));
            compare(
                    "nesting, apply, " + each.getKey(),
                    apply(any.named("b"), head + flat + "}"),
                    apply(any.named("b"), head + each.getValue() + "}"));
        }
        String longText = quoted("x".repeat(400_000));
        String keys = "{" + filled(i -> quoted("k" + i) + ":1") + "}";
        String shallow = head + "\"v\":{\"n\":" + keys + ",\"t\":" + longText + "}}";
        String below = head + "\"v\":{" + longText + ":" + keys + "}}";
        compare("below a long name, apply", apply(any.named("b"), shallow), apply(any.named("b"), below));
        // Owned fields are stored a second time, in the managed fields.
        String owned = "{" + filled(i -> quoted("k" + i) + ":1", Math.min(SIZE, 500_000)) + "}";
        String ownedShallow = shallow.replace(keys, owned);
        String ownedBelow = below.replace(keys, owned);
        given(any, ownedShallow.replace("\"b\"", quoted("shallow")));
        given(any, ownedBelow.replace("\"b\"", quoted("below")));
        compare(
                "below a long name, conflicts",
                conflict(any, "shallow", ownedShallow),
                conflict(any, "below", ownedBelow));
    }

    private void keysAndNumbers(Target maps) {
        String ordinary = data(AdversarialCostTest::ordinary);
        compare(
                "many keys",
                create(maps, named(ordinary)),
                create(maps, named("\"data\":{" + filled(i -> quoted("k" + Integer.toString(i, 36)) + ":\"\"") + "}")));
        compare(
                "wrong keys",
                create(maps, named(ordinary)),
                create(maps, named("\"data\":{" + filled(i -> quoted("!" + i) + ":\"\"") + "}")));
        compare(
                "a repeated key",
                create(maps, named(ordinary)),
                create(maps, named("\"data\":{" + filled(i -> "\"k\":\"\"") + "}")));
        compare(
                "unknown fields",
                create(maps, named(ordinary)),
                create(maps, named(filled(i -> quoted("unknown" + i) + ":\"\""))));
        compare(
                "annotations",
                create(maps, named(ordinary)),
                create(
                        maps,
                        "{\"metadata\":{\"name\":\"a\",\"annotations\":{"
                                + filled(i -> quoted(Integer.toString(i * 31, 36)) + ":\"\"") + "}}}"));
        Target any = target("example.com", "v1", "anys", "");
        String numbers = "\"v\":{\"l\":[" + filled(i -> Integer.toString(i + 100_000)) + "]}";
        for (String number : new String[] {
            "9".repeat(390), "0." + "9".repeat(380), "1e300", "9".repeat(200) + "." + "9".repeat(180) + "e1"
        }) {
            compare(
                    "long numbers, " + number.substring(0, 5),
                    create(any, named(numbers)),
                    create(any, named("\"v\":{\"l\":[" + filled(i -> number) + "]}")));
        }
    }

    private void managers(Target maps) {
        String one =
                "{\"manager\":\"m\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:data\":{"
                        + filled(i -> quoted("f:" + ordinary(i)) + ":{}") + "}}}";
        Request ordinary = create(maps, "{\"metadata\":{\"name\":\"a\",\"managedFields\":[" + one + "]}}");
        for (String operation : new String[] {"Update", "Apply"}) {
            for (String version : new String[] {"v1", "v%d"}) {
                IntFunction<String> entry = i -> "{\"manager\":\"m" + i + "\",\"operation\":\"" + operation
                        + "\",\"apiVersion\":\"" + version.formatted(i)
                        + "\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:data\":{\"f:a" + i + "\":{}}}}";
                compare(
                        "managers, " + operation + ", " + version,
                        ordinary,
                        create(maps, "{\"metadata\":{\"name\":\"a\",\"managedFields\":[" + filled(entry) + "]}}"));
                var most = new StringBuilder();
                for (int i = 0; i < 990; i++) {
                    most.append(i == 0 ? "" : ",").append(entry.apply(i));
                }
                compare(
                        "most managers, " + operation + ", " + version,
                        ordinary,
                        create(
                                maps,
                                "{\"metadata\":{\"name\":\"a\",\"managedFields\":[" + most + "]},"
                                        + data(AdversarialCostTest::ordinary).substring(0, 40) + "}}"));
            }
        }
    }

    private void regularExpressions() {
        String texts = "\"v\":[" + filled(i -> quoted("x".repeat(40))) + "]";
        String text = "\"v\":[" + quoted("x".repeat(SIZE)) + "]";
        Request ordinary = create(target("example.com", "v1", "plains", ""), named(texts));
        compare("a costly pattern, texts", ordinary, create(target("example.com", "v1", "costlys", ""), named(texts)));
        String numbers = "\"v\":[" + filled(i -> Integer.toString(i + 100_000)) + "]";
        compare(
                "an enum, numbers",
                create(target("example.com", "v1", "numbers", ""), named(numbers)),
                create(target("example.com", "v1", "enums", ""), named(numbers)));
        compare("a costly pattern, a text", ordinary, create(target("example.com", "v1", "costlys", ""), named(text)));
    }

    /** Schemas that check each value many times, by the singular name of their types. */
    private static final Map<String, String> JUNCTORS = Map.of(
            "forbidden", listOf("\"type\":\"string\",\"not\":{\"enum\":[" + defined(i -> quoted(ordinary(i))) + "]}"),
            "either",
                    listOf("\"type\":\"string\",\"anyOf\":[{\"enum\":[" + defined(i -> quoted(ordinary(i)))
                            + "]},{\"minLength\":1}]"),
            "length",
                    "{\"type\":\"string\",\"not\":{\"anyOf\":[" + defined(i -> "{\"maxLength\":" + i % 1000 + "}")
                            + "]}}",
            "field",
                    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},\"not\":{\"anyOf\":["
                            + defined(i -> "{\"properties\":{\"x\":{\"minLength\":1}},\"required\":[\"x\"]}") + "]}}",
            "nevers", listOf("\"type\":\"string\",\"not\":{\"anyOf\":[" + defined(i -> "{\"maxLength\":0}") + "]}"),
            "conjunction",
                    listOf("\"type\":\"string\",\"not\":{\"allOf\":[" + defined(i -> "{\"maxLength\":0}") + "]}"),
            "whole",
                    listOf("\"type\":\"string\"")
                            .replace(
                                    "\"items\"",
                                    "\"not\":{\"anyOf\":[" + defined(i -> "{\"enum\":[[\"x\"]]}") + "]},\"items\""));

    private static String listOf(String item) {
        return "{\"type\":\"array\",\"items\":{" + item + "}}";
    }

    private static String defined(IntFunction<String> value) {
        return filled(value, DEFINED);
    }

    private void junctors() {
        Target lists = target("example.com", "v1", "plains", "");
        Target others = target("example.com", "v1", "anys", "");
        for (String name : JUNCTORS.keySet()) {
            String values = named(
                    switch (name) {
                        case "length" -> "\"v\":" + quoted("\u1234".repeat(SIZE / 3));
                        case "field" -> "\"v\":{" + filled(i -> "\"f" + i + "\":\"x\"") + "}";
                        default -> "\"v\":[" + filled(i -> "\"x\"") + "]";
                    });
            compare(
                    "alternatives, " + name,
                    create(values.contains("[") ? lists : others, values),
                    create(target("example.com", "v1", name + "s", ""), values));
        }
    }

    private static String definition(String schema) {
        return """
            {"metadata":{"name":"news.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
            "names":{"plural":"news","kind":"New"},"versions":[{"name":"v1","served":true,"storage":true,
            "schema":{"openAPIV3Schema":{"type":"object","properties":{"v":%s}}}}]}}\
            """.formatted(schema);
    }

    private void definitions() {
        Target all = target("apiextensions.k8s.io", "v1", "customresourcedefinitions", "");
        Request ordinary = create(
                all,
                definition("{\"type\":\"object\",\"properties\":{"
                        + filled(i -> "\"field" + i + "\":{\"type\":\"string\"," + FIELD + "}") + "}}"));
        for (String junctor : new String[] {"anyOf", "allOf", "oneOf"}) {
            compare(
                    "alternatives, " + junctor,
                    ordinary,
                    create(
                            all,
                            definition("{\"x-kubernetes-int-or-string\":true,\"" + junctor + "\":["
                                    + filled(i -> "{\"minLength\":1}") + "]}")));
        }
        compare(
                "list keys",
                ordinary,
                create(
                        all,
                        definition(
                                "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":["
                                        + filled(i -> "\"k" + i + "\"")
                                        + "],\"items\":{\"type\":\"object\",\"required\":["
                                        + filled(i -> "\"k" + i + "\"") + "]}}")));
        compare(
                "enum, definition",
                ordinary,
                create(all, definition("{\"type\":\"integer\",\"enum\":[" + filled(Integer::toString) + "]}")));
        compare(
                "defaults, definition",
                ordinary,
                create(
                        all,
                        definition("{\"type\":\"object\",\"default\":{},\"properties\":{"
                                + filled(i -> "\"f" + i + "\":{\"type\":\"string\",\"default\":\"\"}") + "}}")));
    }

    /** The rules of one definition share a budget for compiling. */
    @Test
    void compilationOfRulesIsBounded() {
        String rules = IntStream.range(0, 50_000)
                .mapToObj(i -> "{\"rule\":\"self > " + i + "\"}")
                .collect(Collectors.joining(","));
        Request many = create(
                target("apiextensions.k8s.io", "v1", "customresourcedefinitions", ""),
                definition("{\"type\":\"integer\",\"x-kubernetes-validations\":[" + rules + "]}"));
        assertThat(nanos(many)).isLessThan(5_000_000_000L);
    }

    private void selectors() {
        Target policies = target("networking.k8s.io", "v1", "networkpolicies", "");
        String spec =
                "\"spec\":{\"podSelector\":{\"matchLabels\":{" + filled(i -> quoted(ordinary(i)) + ":\"v\"") + "}}}";
        compare(
                "selectors, values",
                create(policies, named(spec)),
                create(
                        policies,
                        named(
                                "\"spec\":{\"podSelector\":{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":["
                                        + filled(i -> quoted(Integer.toString(i, 36))) + "]}]}}")));
        compare(
                "selectors, expressions",
                create(policies, named(spec)),
                create(
                        policies,
                        named("\"spec\":{\"podSelector\":{\"matchExpressions\":["
                                + filled(i -> "{\"key\":\"k\",\"operator\":\"Exists\"}") + "]}}")));
        compare(
                "network policies, ports",
                create(policies, named(spec)),
                create(
                        policies,
                        named("\"spec\":{\"podSelector\":{},\"ingress\":[{\"ports\":["
                                + filled(i -> "{\"port\":" + (i % 60000 + 1) + "}") + "]}]}")));
    }

    /** Returns as many containers with some settings as fit. */
    private static String container() {
        String settings = IntStream.range(0, 20)
                .mapToObj(i -> "{\"name\":\"SETTING_" + i + "\",\"value\":\"the value of it\"}")
                .collect(Collectors.joining(","));
        return filled(i -> "{\"name\":\"container-" + i + "\",\"image\":\"registry.example.com/image:1.0\",\"env\":["
                + settings + "]}");
    }

    private void lists(Target pods) {
        String head = "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",";
        Request ordinary = create(pods, named("\"spec\":{\"containers\":[" + container() + "]}"));
        String[][] lists = {
            {"env", "{\"name\":\"A%d\",\"value\":\"v\"}"},
            {"ports", "{\"containerPort\":%d,\"name\":\"p%1$d\"}"},
            {"volumeMounts", "{\"name\":\"v%d\",\"mountPath\":\"/%1$d\"}"},
            {"volumeDevices", "{\"name\":\"v%d\",\"devicePath\":\"/%1$d\"}"},
            {"envFrom", "{\"configMapRef\":{\"name\":\"v%d\"}}"},
        };
        for (String[] list : lists) {
            compare(
                    "containers, " + list[0],
                    ordinary,
                    create(
                            pods,
                            named(head + quoted(list[0]) + ":[" + filled(i -> list[1].formatted(i + 1)) + "]}]}")));
        }
        String[][] ofPods = {
            {"volumes", "{\"name\":\"v%d\",\"emptyDir\":{}}"},
            {"tolerations", "{\"key\":\"k%d\",\"operator\":\"Exists\"}"},
            {"hostAliases", "{\"ip\":\"1.2.3.4\",\"hostnames\":[\"h%d\"]}"},
            {"imagePullSecrets", "{\"name\":\"s%d\"}"},
            {"initContainers", "{\"name\":\"c%d\",\"image\":\"i\"}"},
            {
                "topologySpreadConstraints",
                "{\"maxSkew\":1,\"topologyKey\":\"k%d\",\"whenUnsatisfiable\":\"DoNotSchedule\"}"
            },
            {"readinessGates", "{\"conditionType\":\"a/b%d\"}"},
            {"schedulingGates", "{\"name\":\"a/b%d\"}"},
            {"resourceClaims", "{\"name\":\"c%d\",\"resourceClaimName\":\"n\"}"},
        };
        for (String[] list : ofPods) {
            compare(
                    "pods, " + list[0],
                    ordinary,
                    create(
                            pods,
                            named("\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]," + quoted(list[0])
                                    + ":[" + filled(i -> list[1].formatted(i + 1)) + "]}")));
        }
        Target services = target("", "v1", "services", "");
        compare(
                "services, ports",
                ordinary,
                create(
                        services,
                        named("\"spec\":{\"ports\":[" + filled(i -> "{\"name\":\"p%d\",\"port\":%1$d}".formatted(i + 1))
                                + "]}")));
        Target roles = target("rbac.authorization.k8s.io", "v1", "roles", "");
        compare(
                "roles, rules",
                ordinary,
                create(
                        roles,
                        named("\"rules\":["
                                + filled(i -> "{\"apiGroups\":[\"\"],\"resources\":[\"r%d\"],\"verbs\":[\"get\"]}"
                                        .formatted(i))
                                + "]")));
        compare(
                "roles, verbs",
                ordinary,
                create(
                        roles,
                        named("\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"r\"],\"verbs\":["
                                + filled(i -> quoted("v" + i)) + "]}]")));
    }

    private static String service(String type, int ports) {
        return "\"spec\":{\"type\":\"" + type + "\",\"ports\":["
                + IntStream.rangeClosed(1, ports)
                        .mapToObj("{\"name\":\"p%d\",\"port\":%1$d}"::formatted)
                        .collect(Collectors.joining(","))
                + "]}";
    }

    /** Node ports, with other services that have few or most of them. */
    private void nodePorts() throws StatusException {
        Target services = target("", "v1", "services", "");
        Request ordinary = create(services, named(service("ClusterIP", 700)));
        compare("node ports, many", ordinary, create(services, named(service("NodePort", 700))));
        compare(
                "node ports, too many",
                create(services, named(service("ClusterIP", 5_000))),
                create(services, named(service("NodePort", 5_000))));
        for (String name : new String[] {"large", "larger"}) {
            given(services, named(service("NodePort", 1_000)).replace("\"a\"", quoted(name)));
        }
        compare("node ports, few left", ordinary, create(services, named(service("NodePort", 700))));
        compare(
                "cluster IPs",
                create(
                        services,
                        named("\"spec\":{\"externalIPs\":[" + filled(i -> quoted("fd00::1"))
                                + "],\"ports\":[{\"port\":1}]}")),
                create(
                        services,
                        named("\"spec\":{\"clusterIP\":\"fd00::1\",\"clusterIPs\":[" + filled(i -> quoted("fd00::1"))
                                + "],\"ports\":[{\"port\":1}]}")));
    }

    /** Long values of fields that have a form, which no limit of the type bounds. */
    private void longValues() {
        Target pods = target("", "v1", "pods", "");
        Target services = target("", "v1", "services", "");
        Target jobs = target("batch", "v1", "cronjobs", "");
        String spec = "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"%s\",\"resources\":"
                + "{\"requests\":{\"cpu\":\"%s\"}}}],\"hostAliases\":[{\"ip\":\"%s\"}],"
                + "\"dnsConfig\":{\"nameservers\":[\"%s\"]}}";
        Request ordinary = create(pods, named("\"spec\":{\"containers\":[" + container() + "]}"));
        for (String text : List.of("@", ":", "1", "0", ".", "0.", "a", "-", "/", "fe80:", "1.1.", "\\n", " ", "é")) {
            String value = text.repeat(SIZE / text.length());
            compare(
                    "long image " + text,
                    ordinary,
                    create(pods, named(spec.formatted(value, "1", "1.2.3.4", "1.2.3.4"))));
            compare(
                    "long quantity " + text,
                    ordinary,
                    create(pods, named(spec.formatted("a", value + "x", "1.2.3.4", "::"))));
            compare(
                    "long addresses " + text,
                    ordinary,
                    create(pods, named(spec.formatted("a", "1", value + "g", value))));
            compare(
                    "long cluster address " + text,
                    ordinary,
                    create(
                            services,
                            named("\"spec\":{\"clusterIP\":\"" + value + "g\",\"externalIPs\":[\"" + value
                                    + "\"],\"ports\":[{\"port\":1}]}")));
            for (String schedule : List.of("", "@every ", "* * * * ")) {
                compare(
                        "long schedule " + schedule + text,
                        ordinary,
                        create(
                                jobs,
                                named("\"spec\":{\"schedule\":\"" + schedule + value
                                        + "x\",\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":"
                                        + "{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\"}]}}}}}")));
            }
        }
    }

    private void patches(Target maps) {
        Target map = maps.named("a");
        IntFunction<String> replace =
                i -> "{\"op\":\"add\",\"path\":\"/data/" + ordinary(i % 100) + "\",\"value\":\"v\"}";
        int most = Math.min(9_000, SIZE / 100);
        var ordinary = new StringBuilder("[{\"op\":\"add\",\"path\":\"/data\",\"value\":{}},"
                + "{\"op\":\"add\",\"path\":\"/x\",\"value\":["
                + filled(i -> quoted(ordinary(i))).substring(0, SIZE / 2 / 39 * 39 - 1) + "]}");
        var shifts = new StringBuilder("[{\"op\":\"add\",\"path\":\"/x\",\"value\":["
                + filled(i -> "1").substring(0, SIZE / 2 - 1) + "1]}");
        var copies = new StringBuilder("[{\"op\":\"add\",\"path\":\"/x\",\"value\":[[]]}");
        var moves = new StringBuilder("[{\"op\":\"add\",\"path\":\"/x\",\"value\":["
                + filled(i -> "1").substring(0, SIZE / 2 - 1) + "1]}");
        for (int i = 0; i < most; i++) {
            ordinary.append(',').append(replace.apply(i));
            shifts.append(",{\"op\":\"add\",\"path\":\"/x/0\",\"value\":1}");
            copies.append(",{\"op\":\"copy\",\"from\":\"/x\",\"path\":\"/x/0\"}");
            moves.append(
                    i % 2 == 0
                            ? ",{\"op\":\"move\",\"from\":\"/x\",\"path\":\"/y\"}"
                            : ",{\"op\":\"move\",\"from\":\"/y\",\"path\":\"/x\"}");
        }
        Request benign = patch(map, PatchFormat.JSON, ordinary + "]");
        compare("JSON patch, shifts", benign, patch(map, PatchFormat.JSON, shifts + "]"));
        compare("JSON patch, copies", benign, patch(map, PatchFormat.JSON, copies + "]"));
        compare("JSON patch, moves", benign, patch(map, PatchFormat.JSON, moves + "]"));
    }
}
