package io.plat.apiserver.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.AdmissionCheck;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ExpressionCheck;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.review.UserInfo;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServicesTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final WriteOptions DRY =
            new WriteOptions(true, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, "m", false, null);

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    /** Returns a service with a spec in single quotes. */
    private static String service(String name, String spec) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{" + spec.replace('\'', '"') + "}}";
    }

    private JsonNode given(String name, String spec) {
        return api.given(SERVICES, service(name, spec)).path("spec");
    }

    @Test
    void serviceKeepsItsClusterIp() {
        JsonNode spec = given("s", "'ports':[{'port':80}]");
        String address = spec.path("clusterIP").asText();
        assertThat(address).matches("10\\.(9[6-9]|10\\d|11[01])\\.\\d+\\.\\d+");
        assertThat(spec.path("clusterIPs")).isEqualTo(Json.object().arrayNode().add(address));
        assertThat(spec.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
        assertThat(spec.path("ipFamilyPolicy").asText()).isEqualTo("SingleStack");
        assertThat(spec.path("internalTrafficPolicy").asText()).isEqualTo("Cluster");
        Api.Answer replaced = api.put(SERVICES + "/s", service("s", "'ports':[{'port':81}]"));
        assertThat(replaced.body().at("/spec/clusterIP").asText()).isEqualTo(address);
        assertThat(replaced.body().at("/spec/clusterIPs/0").asText()).isEqualTo(address);
        Api.Answer other = api.patch(SERVICES + "/s", PatchFormat.MERGE, "{\"spec\":{\"clusterIP\":\"10.96.0.9\"}}");
        assertThat(other.message())
                .isEqualTo(
                        "Service \"s\" is invalid: spec.clusterIPs[0]: Invalid value: [\"10.96.0.9\"]: may not change"
                                + " once set");
    }

    @Test
    void headlessAndExternalNameServicesHaveNoClusterIp() {
        JsonNode headless = given("h", "'clusterIP':'None','selector':{'a':'b'}");
        assertThat(headless.path("clusterIPs").toString()).isEqualTo("[\"None\"]");
        assertThat(headless.path("ipFamilies").toString()).isEqualTo("[\"IPv4\"]");
        JsonNode free = given("f", "'clusterIP':'None'");
        assertThat(free.path("ipFamilies").toString()).isEqualTo("[\"IPv4\",\"IPv6\"]");
        assertThat(free.path("ipFamilyPolicy").asText()).isEqualTo("RequireDualStack");
        JsonNode external = given("e", "'type':'ExternalName','externalName':'example.com'");
        assertThat(external.has("clusterIP") || external.has("ipFamilies") || external.has("internalTrafficPolicy"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
        'clusterIP':'10.96.0.7'; spec.clusterIPs: Invalid value: ["10.96.0.7"]: failed to allocate IP 10.96.0.7: provided IP is already allocated
        'clusterIP':'10.0.0.7'; spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: the provided IP (10.0.0.7) is not in the valid range. The range of valid IPs is 10.96.0.0/12
        'clusterIP':'10.96.0.300'; spec.clusterIPs[0]: Invalid value: "10.96.0.300": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
        'clusterIP':'fd00::1'; spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster
        'clusterIP':'10.96.0.8','clusterIPs':['10.96.0.9']; spec.clusterIPs: Invalid value: ["10.96.0.9"]: first value must match `clusterIP`
        'clusterIP':'10.96.0.8','clusterIPs':['10.96.0.8','10.96.0.9']; spec.clusterIPs: Invalid value: ["10.96.0.8","10.96.0.9"]: may specify no more than one IP for each IP family
        'clusterIP':'10.96.0.8','clusterIPs':['10.96.0.8','fd00::1','fd00::2']; spec.clusterIPs: Invalid value: ["10.96.0.8","fd00::1","fd00::2"]: may only hold up to 2 values
        'clusterIP':'None','type':'NodePort'; spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services
        'clusterIP':'10.96.0.8','type':'ExternalName','externalName':'a.b'; spec.clusterIPs: Forbidden: may not be set for ExternalName services
        'ipFamilyPolicy':'RequireDualStack'; spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services
        'ipFamilies':['IPv6']; spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster
        'type':'NodePort','ports':[{'port':80,'nodePort':30007}]; spec.ports[0].nodePort: Invalid value: 30007: provided port is already allocated
        'type':'NodePort','ports':[{'port':80,'nodePort':80}]; spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767
        'ports':[{'port':80,'nodePort':30008}]; spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'
        'type':'NodePort','ports':[{'port':80,'name':'a','nodePort':30009},{'port':81,'name':'b','nodePort':30009}]; spec.ports[1].nodePort: Duplicate value: 30009
        """)
    void unavailableAddressesAndPortsAreRefused(String spec, String cause) {
        given("taken", "'type':'NodePort','clusterIP':'10.96.0.7','ports':[{'port':80,'nodePort':30007}]");
        String whole = spec.contains("'ports'") ? spec : spec + ",'ports':[{'port':80}]";
        Api.Answer refused = api.post(SERVICES, service("s", whole));
        assertThat(refused.message()).isEqualTo("Service \"s\" is invalid: " + cause);
        assertThat(refused.code()).isEqualTo(422);
    }

    private static String ports(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj("{'name':'p%d','port':%1$d,'protocol':'TCP','targetPort':%1$d}"::formatted)
                .collect(Collectors.joining(",", "'ports':[", "]"));
    }

    @Test
    void serviceHasAtMostAThousandPorts() throws Exception {
        JsonNode spec = given("most", "'type':'NodePort'," + ports(1000));
        Set<Integer> nodePorts = new HashSet<>();
        spec.path("ports").forEach(port -> nodePorts.add(port.path("nodePort").asInt()));
        assertThat(nodePorts).hasSize(1000).doesNotContain(0);
        assertThat(api.post(SERVICES, service("s", ports(1001))).message())
                .isEqualTo("Service \"s\" is invalid: spec.ports: Too many: 1001: must have at most 1000 items");
    }

    @Test
    void storedServiceWithMorePortsCanStillBeChanged() throws Exception {
        String stored =
                service("s\",\"uid\":\"u", "'type':'ClusterIP','clusterIP':'None'," + ports(1200) + "},'status':{");
        api.store.commit(Transaction.create(api.target(SERVICES + "/s").key(), stored.getBytes(UTF_8)));
        Api.Answer labelled =
                api.patch(SERVICES + "/s", PatchFormat.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(labelled.code()).as(labelled.message()).isEqualTo(200);
        assertThat(api.put(SERVICES + "/s", service("s", ports(1100))).code()).isEqualTo(422);
        assertThat(api.put(SERVICES + "/s", service("s", ports(900))).code()).isEqualTo(200);
    }

    @Test
    void nodePortsFollowTheirPortNames() {
        JsonNode spec = given(
                "n",
                "'type':'LoadBalancer','externalTrafficPolicy':'Local','ports':["
                        + "{'name':'a','port':53},{'name':'b','port':53,'protocol':'UDP'},{'name':'c','port':80}]");
        int first = spec.at("/ports/0/nodePort").asInt();
        int third = spec.at("/ports/2/nodePort").asInt();
        assertThat(List.of(first, third, spec.path("healthCheckNodePort").asInt()))
                .doesNotHaveDuplicates()
                .allMatch(port -> port >= 30000 && port <= 32767);
        assertThat(spec.at("/ports/1/nodePort").asInt()).isEqualTo(first);
        assertThat(spec.path("allocateLoadBalancerNodePorts").asBoolean()).isTrue();
        ObjectNode swapped = api.put(
                        SERVICES + "/n",
                        service("n", "'type':'NodePort','ports':[{'name':'c','port':81},{'name':'d','port':82}]"))
                .body();
        assertThat(swapped.at("/spec/ports/0/nodePort").asInt()).isEqualTo(third);
        assertThat(swapped.at("/spec/ports/1/nodePort").asInt()).isPositive().isNotEqualTo(third);
        assertThat(swapped.path("spec").has("healthCheckNodePort")).isFalse();
        Api.Answer inside = api.patch(SERVICES + "/n", PatchFormat.MERGE, "{\"spec\":{\"type\":\"ClusterIP\"}}");
        assertThat(inside.code()).as(inside.message()).isEqualTo(200);
        assertThat(inside.body().path("spec").findValues("nodePort")).isEmpty();
        assertThat(inside.body().path("spec").has("externalTrafficPolicy")).isFalse();
        Api.Answer named = api.patch(
                SERVICES + "/n", PatchFormat.MERGE, "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a.b\"}}");
        assertThat(named.code()).as(named.message()).isEqualTo(200);
        assertThat(named.body().path("spec").has("clusterIP")).isFalse();
        Api.Answer back = api.patch(SERVICES + "/n", PatchFormat.MERGE, "{\"spec\":{\"type\":\"ClusterIP\"}}");
        assertThat(back.body().at("/spec/clusterIP").asText()).startsWith("10.");
    }

    @Test
    void dryRunAllocatesNothing() throws Exception {
        Api.Answer dry = api.post(SERVICES, service("s", "'type':'NodePort','ports':[{'port':80}]"), DRY);
        assertThat(dry.body().at("/spec/clusterIP").asText()).startsWith("10.");
        assertThat(dry.body().at("/spec/ports/0/nodePort").asInt()).isPositive();
        assertThat(api.store.latest().count(KeyRange.of("service-addresses"))).isZero();
        assertThat(api.store.latest().count(KeyRange.of("service-ports"))).isZero();
    }

    @Test
    void deletionAndFailedCreationRelease() {
        given("s", "'type':'NodePort','clusterIP':'10.96.0.7','ports':[{'port':80,'nodePort':30007}]");
        Api.Answer half = api.post(
                SERVICES,
                service("t", "'type':'NodePort','clusterIP':'10.96.0.8','ports':[{'port':80,'nodePort':30007}]"));
        assertThat(half.code()).isEqualTo(422);
        api.delete(SERVICES + "/s");
        given("again", "'type':'NodePort','clusterIP':'10.96.0.7','ports':[{'port':80,'nodePort':30007}]");
        given("also", "'clusterIP':'10.96.0.8','ports':[{'port':80}]");
        api.delete(SERVICES + "/again");
        api.delete(SERVICES + "/also");
        await().untilAsserted(() -> {
            assertThat(api.store.latest().count(KeyRange.of("service-addresses")))
                    .isZero();
            assertThat(api.store.latest().count(KeyRange.of("service-ports"))).isZero();
        });
    }

    /** Returns a service with this number of labels in its selector, and a thousand ports. */
    private static String large(int labels, String type) {
        String selector = IntStream.range(0, labels)
                .mapToObj(i -> "'k" + (100_000 + i) + "':'" + "v".repeat(63) + "'")
                .collect(Collectors.joining(",", "'selector':{", "},"));
        return service("s", "'type':'" + type + "'," + selector + ports(1000));
    }

    /** Its node ports make a service too large: they are longer than each step of the labels. */
    @Test
    void tooLargeServiceReleases() {
        int accepted = 36_000;
        int labels = 46_000;
        while (labels - accepted > 100) {
            int middle = (accepted + labels) / 2;
            if (api.post(SERVICES, large(middle, "NodePort")).code() == 201) {
                api.delete(SERVICES + "/s");
                accepted = middle;
            } else {
                labels = middle;
            }
        }
        assertThat(accepted).isGreaterThan(36_000);
        Api.Answer created = api.post(SERVICES, large(labels, "NodePort"));
        assertThat(created.message()).startsWith("the object is too large");
        awaitNoPorts();
        assertThat(api.post(SERVICES, large(labels, "ClusterIP")).code()).isEqualTo(201);
        Api.Answer changed = api.patch(SERVICES + "/s", PatchFormat.MERGE, "{\"spec\":{\"type\":\"NodePort\"}}");
        assertThat(changed.message()).startsWith("the object is too large");
        awaitNoPorts();
    }

    private void awaitNoPorts() {
        awaitNoPorts(api);
    }

    private static void awaitNoPorts(Api api) {
        await().untilAsserted(() -> assertThat(api.store.latest().count(KeyRange.of("service-ports")))
                .isZero());
    }

    /** An error of an admission check, such as one that restarts the request elsewhere, is no refusal. */
    @Test
    void errorOfAdmissionReleases() {
        AtomicBoolean failing = new AtomicBoolean();
        AdmissionCheck check = new AdmissionCheck() {
            @Override
            public boolean applies(Snapshot snapshot) {
                return failing.get();
            }

            @Override
            public void admit(AdmissionRequest request, Snapshot snapshot) {
                throw new AssertionError("planted");
            }
        };
        WriteOptions byUser = new WriteOptions(
                false,
                WriteOptions.FieldValidation.WARN,
                WriteCheck.NONE,
                "m",
                false,
                Requester.of(new UserInfo("alice", List.of())));
        try (Api there = new Api(
                EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)),
                new ObjectIdentity(Clock.systemUTC(), new Random(1)),
                check)) {
            there.given(SERVICES, service("s", "'ports':[{'port':80}]"));
            failing.set(true);
            assertThatThrownBy(() -> there.patch(
                            SERVICES + "/s", PatchFormat.MERGE, "{\"spec\":{\"type\":\"NodePort\"}}", byUser))
                    .hasMessage("planted");
            assertThatThrownBy(
                            () -> there.post(SERVICES, service("t", "'type':'NodePort','ports':[{'port':80}]"), byUser))
                    .hasMessage("planted");
            awaitNoPorts(there);
        }
    }

    /** Two servers with one store, and more services than random addresses. */
    @Test
    void addressesAreUniqueAcrossServers() throws Exception {
        var networks = new ServiceNetworks(
                ItemRange.addresses("10.0.0.0/26").orElseThrow(),
                ItemRange.ports("30000-30061").orElseThrow());
        var settings = new ResourceOperations.Settings(
                ResourceOperations.Settings.DEFAULT.continueTtl(), networks, ExpressionCheck.NONE, AdmissionCheck.NONE);
        try (ResourceOperations one = operations(settings, 1);
                ResourceOperations other = operations(settings, 2)) {
            List<Future<Integer>> created = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 64; i++) {
                    ResourceOperations server = i % 2 == 0 ? one : other;
                    String body = service("s" + i, "'type':'NodePort','ports':[{'port':80}]");
                    created.add(threads.submit(() -> api.answer(() -> server.create(
                                    api.target(SERVICES),
                                    ObjectBody.json(api.target(SERVICES).type(), body.getBytes(UTF_8)),
                                    WriteOptions.DEFAULT))
                            .code()));
                }
            }
            List<Integer> codes = new ArrayList<>();
            for (Future<Integer> code : created) {
                codes.add(code.get());
            }
            Collections.sort(codes);
            assertThat(codes.subList(0, 62)).containsOnly(201);
            assertThat(codes.subList(62, 64)).containsOnly(500);
        }
        Set<String> addresses = new HashSet<>();
        Set<String> ports = new HashSet<>();
        api.get(SERVICES).body().path("items").forEach(service -> {
            addresses.add(service.at("/spec/clusterIP").asText());
            ports.add(service.at("/spec/ports/0/nodePort").asText());
        });
        assertThat(addresses).hasSize(62);
        assertThat(ports).hasSize(62);
    }

    private ResourceOperations operations(ResourceOperations.Settings settings, int seed) throws Exception {
        return ResourceOperations.start(
                api.store,
                api.catalog,
                DynamicTypes.NONE,
                new ObjectIdentity(Clock.systemUTC(), new Random(seed)),
                settings);
    }

    @Test
    void allocatedAddressHasNoManager() {
        api.apply(
                SERVICES + "/s",
                "m",
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\","
                        + service("s", "'ports':[{'port':80}]").substring(1),
                false);
        assertThat(api.owners(SERVICES + "/s").toString()).contains("m Apply").doesNotContain("clusterIP");
    }
}
