package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.StandaloneServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Requests of at most 3 MiB that would expand in memory, 32 at a time, on a server with a heap of 256 MiB. Each receives a Status, and the
 * server continues. By default each attack is sent at least once among all others; the full run sends each 32 times.
 */
class HeapExhaustionTest {
    private static final int CONCURRENT = 32;
    private static final String CORE = "/api/v1/namespaces/default/";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CUSTOM = "/apis/attacks.example.com/v1/namespaces/default/";
    private static final String DRY = "?dryRun=All";
    private static final String JSON = "application/json";

    private static StandaloneServer server;

    /** An attack with a small request. */
    private record Attack(String name, String method, String path, String type, HttpRequest.BodyPublisher body) {
        Attack(String name, String method, String path, String type, String body) {
            this(name, method, path, type, HttpRequest.BodyPublishers.ofString(body));
        }

        Attack(String name, String path, String body) {
            this(name, "POST", path, JSON, body);
        }

        /** Sends it, and once again if the connection ends without a response, as it does for about one upload of a thousand under full load. */
        HttpResponse<InputStream> send() throws IOException, InterruptedException {
            try {
                return sendOnce();
            } catch (IOException closed) {
                return sendOnce();
            }
        }

        private HttpResponse<InputStream> sendOnce() throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(server.at(path))
                    .timeout(Duration.ofSeconds(60))
                    .header(method.equals("GET") ? "Accept" : "Content-Type", type)
                    .method(method, body);
            return server.client().http().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        }
    }

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithJavaOptions("-Xmx256m");
        define(
                "wide",
                "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                        + "\"properties\":{\"d\":{\"type\":\"string\",\"default\":\"" + "x".repeat(100_000)
                        + "\"}}}}}}");
        String six = IntStream.range(0, 6)
                .mapToObj(i -> "\"d" + i + "\":{\"type\":\"string\",\"default\":\"x\"}")
                .collect(Collectors.joining(","));
        define(
                "six",
                "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                        + "\"properties\":{" + six + "}}}}}");
        define("any", "{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}");
        define(
                "late",
                "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                        + "\"properties\":{\"d\":{\"type\":\"string\"}}}}}}");
        create(CORE + "configmaps", "{\"metadata\":{\"name\":\"patched\"},\"data\":{\"a\":\"b\"}}");
        create(
                CORE + "pods",
                "{\"metadata\":{\"name\":\"patched\"},\"spec\":{\"containers\":"
                        + "[{\"name\":\"c\",\"image\":\"i\"}]}}");
        String columns = IntStream.range(0, 100)
                .mapToObj(i -> "{\"name\":\"c" + i + "\",\"type\":\"string\",\"jsonPath\":\".l\",\"description\":\""
                        + "x".repeat(20_000) + "\"}")
                .collect(Collectors.joining(",", "\"additionalPrinterColumns\":[", "],"));
        define("column", "{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}", columns);
        for (int i = 0; i < 5; i++) {
            create(CUSTOM + "columns", object("Column", "column" + i, "\"l\":\"" + "x".repeat(1_000_000) + "\""));
        }
        for (int i = 0; i < 5; i++) {
            create(CUSTOM + "anys", object("Any", "any" + i, "\"l\":[" + repeated("[]", 30_000) + "]"));
        }
        create(CUSTOM + "anys", object("Any", "deep", "\"l\":" + nested(repeated("1", 200_000))));
        create(CUSTOM + "lates", object("Late", "late", "\"l\":[" + repeated("{}", 20_000) + "]"));
        assertThat(server.client()
                        .send(
                                "PATCH",
                                server.at(DEFINITIONS + "/lates.attacks.example.com"),
                                "application/json-patch+json",
                                """
                                [{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/l/items/properties/d/default",
                                "value":"%s"}]""".formatted("x".repeat(10_000)))
                        .statusCode())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void define(String name, String schema) throws IOException {
        define(name, schema, "");
    }

    private static void define(String name, String schema, String columns) throws IOException {
        create(DEFINITIONS, definition(name, schema).replace("\"schema\":", columns + "\"schema\":"));
        // Served once it is established.
        while (server.client().get(server.at(CUSTOM + name + "s")).statusCode() != 200) {
            Thread.onSpinWait();
        }
    }

    private static String definition(String name, String schema) {
        return """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%1$ss.attacks.example.com"},
                "spec":{"group":"attacks.example.com","scope":"Namespaced","names":{"plural":"%1$ss","singular":"%1$s","kind":"%2$s"},
                "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":%3$s}}]}}""".formatted(name, Character.toUpperCase(name.charAt(0)) + name.substring(1), schema);
    }

    private static String object(String kind, String name, String fields) {
        return "{\"apiVersion\":\"attacks.example.com/v1\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"" + name
                + "\"}," + fields + "}";
    }

    private static void create(String path, String body) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(path), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static String repeated(String value, int count) {
        return (value + ",").repeat(count - 1) + value;
    }

    /** Containers with distinct names, without which server-side apply refuses them at once. */
    private static String named(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"name\":\"c" + i + "\"}")
                .collect(Collectors.joining(",", "\"containers\":[", "]"));
    }

    private static String nested(String values) {
        return "[".repeat(100) + values + "]".repeat(100);
    }

    /** A bytes field in protobuf. */
    private static byte[] field(int number, byte[] value) {
        var out = new ByteArrayOutputStream();
        out.write((number << 3) | 2);
        for (int rest = value.length; ; rest >>>= 7) {
            out.write(rest > 127 ? (rest & 127) | 128 : rest);
            if (rest <= 127) {
                break;
            }
        }
        out.writeBytes(value);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] binaryPod(int containers) {
        byte[] spec = new byte[2 * containers];
        for (int i = 0; i < spec.length; i += 2) {
            spec[i] = (2 << 3) | 2;
        }
        byte[] pod = joined(field(1, field(1, text("p"))), field(2, spec));
        byte[] type = joined(field(1, text("v1")), field(2, text("Pod")));
        return joined(text("k8s\0"), field(1, type), field(2, pod));
    }

    private static List<Attack> attacks() {
        var attacks = new ArrayList<Attack>();
        for (int count : List.of(21_000, 100_000, 1_040_000)) {
            String containers = "\"containers\":[" + repeated("{}", count) + "]";
            attacks.add(new Attack(
                    "containers " + count,
                    CORE + "pods" + DRY,
                    "{\"metadata\":{\"name\":\"p\"},\"spec\":{" + containers + "}}"));
            attacks.add(new Attack(
                    "containers of a patch " + count,
                    "PATCH",
                    CORE + "pods/patched" + DRY,
                    "application/merge-patch+json",
                    "{\"spec\":{" + containers + "}}"));
            attacks.add(new Attack(
                    "applied containers " + count,
                    "PATCH",
                    CORE + "pods/applied" + DRY + "&fieldManager=m",
                    "application/apply-patch+yaml",
                    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"applied\"},\"spec\":{"
                            + named(Math.min(count, 150_000)) + "}}"));
            attacks.add(new Attack(
                    "binary containers " + count,
                    "POST",
                    CORE + "pods" + DRY,
                    "application/vnd.kubernetes.protobuf",
                    HttpRequest.BodyPublishers.ofByteArray(binaryPod(count))));
        }
        attacks.add(new Attack(
                "aliases",
                "POST",
                CORE + "pods" + DRY,
                "application/yaml",
                "metadata: {name: p}\nspec:\n  containers: [&a {}" + ", *a".repeat(700_000) + "]\n"));
        attacks.add(new Attack(
                "YAML",
                "POST",
                CORE + "pods" + DRY,
                "application/yaml",
                "metadata: {name: p}\nspec:\n  containers: [" + repeated("{}", 1_000_000) + "]\n"));
        attacks.add(new Attack(
                "nesting", CORE + "configmaps" + DRY, "{\"data\":" + nested(repeated("[]", 1_000_000)) + "}"));
        attacks.add(new Attack(
                "a large default",
                CUSTOM + "wides" + DRY,
                object("Wide", "w", "\"l\":[" + repeated("{}", 100_000) + "]")));
        for (int count : List.of(15_000, 1_000_000)) {
            attacks.add(new Attack(
                    "small defaults " + count,
                    CUSTOM + "sixs" + DRY,
                    object("Six", "s", "\"l\":[" + repeated("{}", count) + "]")));
        }
        attacks.add(new Attack("a later default", "GET", CUSTOM + "lates/late", JSON, ""));
        attacks.add(new Attack("a list with a later default", "GET", CUSTOM + "lates", "application/yaml", ""));
        attacks.add(new Attack(
                "an update with a later default",
                "PATCH",
                CUSTOM + "lates/late",
                "application/merge-patch+json",
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
        attacks.add(new Attack(
                "a table of large objects",
                "GET",
                CUSTOM + "anys",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                ""));
        attacks.add(new Attack(
                "a table of many columns",
                "GET",
                CUSTOM + "columns",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                ""));
        attacks.add(new Attack("YAML of large objects", "GET", CUSTOM + "anys", "application/yaml", ""));
        attacks.add(new Attack("indented large objects", "GET", CUSTOM + "anys?pretty=true", JSON, ""));
        attacks.add(new Attack("an indented deep object", "GET", CUSTOM + "anys/deep?pretty=true", JSON, ""));
        attacks.add(new Attack("YAML of a deep object", "GET", CUSTOM + "anys/deep", "application/yaml", ""));
        attacks.add(new Attack(
                "copies",
                "PATCH",
                CORE + "configmaps/patched" + DRY,
                "application/json-patch+json",
                "[{\"op\":\"add\",\"path\":\"/x\",\"value\":[" + repeated("{}", 30_000) + "]}"
                        + ",{\"op\":\"copy\",\"from\":\"/x\",\"path\":\"/x/0\"}".repeat(20) + "]"));
        for (String pattern : List.of(
                "x{1000}".repeat(40_000),
                "(((x{1000}){1000}){1000}){1000}",
                "[\\\\pL\\\\pN]".repeat(80_000),
                "(".repeat(200_000) + ")".repeat(200_000))) {
            attacks.add(new Attack(
                    "pattern " + pattern.substring(0, 10),
                    DEFINITIONS,
                    definition(
                            "pattern",
                            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"" + pattern
                                    + "\"}}}")));
        }
        attacks.add(new Attack(
                "a wide schema",
                DEFINITIONS + DRY,
                definition(
                        "huge",
                        "{\"type\":\"object\",\"properties\":{"
                                + IntStream.range(0, 100_000)
                                        .mapToObj(i -> "\"p" + i + "\":{\"type\":\"string\"}")
                                        .collect(Collectors.joining(","))
                                + "}}")));
        attacks.add(new Attack(
                "groups",
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                "{\"spec\":{\"user\":\"a\",\"groups\":[" + repeated("\"g\"", 700_000)
                        + "],\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}"));
        attacks.add(new Attack(
                "audiences",
                "/apis/authentication.k8s.io/v1/tokenreviews",
                "{\"spec\":{\"token\":\"x\",\"audiences\":[" + repeated("\"\"", 1_000_000) + "]}}"));
        attacks.add(new Attack(
                "rules",
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                "{\"spec\":{\"x\":[" + repeated("{}", 1_000_000) + "]}}"));
        attacks.add(new Attack(
                "eviction", CORE + "pods/patched/eviction" + DRY, "{\"x\":[" + repeated("{}", 1_000_000) + "]}"));
        attacks.add(new Attack(
                "token",
                CORE + "serviceaccounts/default/token",
                "{\"spec\":{\"x\":[" + repeated("{}", 1_000_000) + "]}}"));
        attacks.add(new Attack(
                "options", "DELETE", CORE + "pods/patched" + DRY, JSON, "{\"x\":[" + repeated("{}", 1_000_000) + "]}"));
        attacks.add(new Attack(
                "managers",
                CORE + "configmaps" + DRY,
                "{\"metadata\":{\"name\":\"m\",\"managedFields\":["
                        + repeated(
                                "{\"manager\":\"m\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:data\":{}}}",
                                28_000)
                        + "]}}"));
        attacks.add(new Attack(
                "finalizers",
                CORE + "configmaps" + DRY,
                "{\"metadata\":{\"name\":\"f\",\"finalizers\":["
                        + IntStream.range(0, 95_000)
                                .mapToObj(i -> "\"a.io/" + i + "\"")
                                .collect(Collectors.joining(","))
                        + "]}}"));
        return attacks;
    }

    /** Returns the status code, which every request receives; the rest of a response may be truncated if memory is exhausted. */
    private static int code(Attack attack) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = attack.send();
        try (InputStream body = answer.body()) {
            body.transferTo(OutputStream.nullOutputStream());
        } catch (IOException cutOff) {
            assertThat(answer.statusCode()).as(attack.name()).isIn(200, 201);
        }
        return answer.statusCode();
    }

    @Test
    void requestsDoNotExhaustTheHeap() throws Exception {
        List<Attack> attacks = attacks();
        List<Attack> sent = new ArrayList<>();
        if (Boolean.getBoolean("plat.full")) {
            attacks.forEach(attack -> sent.addAll(Collections.nCopies(CONCURRENT, attack)));
        } else {
            sent.addAll(attacks);
        }
        try (ExecutorService clients = Executors.newFixedThreadPool(CONCURRENT)) {
            List<Callable<Integer>> calls = sent.stream()
                    .map(attack -> (Callable<Integer>) () -> code(attack))
                    .toList();
            List<Future<Integer>> codes = clients.invokeAll(calls);
            for (int i = 0; i < codes.size(); i++) {
                assertThat(codes.get(i).get()).as(sent.get(i).name()).isIn(200, 201, 413, 422, 429);
            }
        }
        assertThat(server.client().get(server.at("/livez")).statusCode()).isEqualTo(200);
        create(CORE + "configmaps", "{\"metadata\":{\"name\":\"after\"}}");
    }
}
