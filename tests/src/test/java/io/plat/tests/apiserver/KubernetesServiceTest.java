package io.plat.tests.apiserver;

import static io.plat.tests.apiserver.RestartableServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.StandaloneServer;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service through which clients inside the cluster reach the API servers: its contents, and reconciliation. */
@Order(1)
class KubernetesServiceTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String SERVICE = "/api/v1/namespaces/default/services/kubernetes";
    private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";
    private static final String SLICE = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
    private static final String ADDRESS = "--advertise-address=192.0.2.10";

    private static RestartableServer server;

    @BeforeAll
    static void start() {
        server = RestartableServer.start(ADDRESS);
        until(() -> server.code(SLICE) == 200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void until(BooleanSupplier holds) {
        await().atMost(SOON).until(holds::getAsBoolean);
    }

    private static String subsets(String address, int port) {
        return "[{\"addresses\":[{\"ip\":\"" + address + "\"}],\"ports\":[{\"name\":\"https\",\"port\":" + port
                + ",\"protocol\":\"TCP\"}]}]";
    }

    private static List<String> addresses(JsonNode endpoints) {
        List<String> observed = new ArrayList<>();
        endpoints
                .at("/subsets/0/addresses")
                .forEach(address -> observed.add(address.path("ip").asText()));
        return observed;
    }

    @Test
    void serviceHasTheFirstAddressAndTheServerPort() {
        JsonNode service = server.get(SERVICE);
        assertThat(service.path("spec")).isEqualTo(read("""
                {"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"internalTrafficPolicy":"Cluster",
                 "ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","sessionAffinity":"None","type":"ClusterIP",
                 "ports":[{"name":"https","port":443,"protocol":"TCP","targetPort":%d}]}""".formatted(server.port())));
        assertThat(service.at("/metadata/labels"))
                .isEqualTo(read("{\"component\":\"apiserver\",\"provider\":\"kubernetes\"}"));
        for (String each : List.of(SERVICE, ENDPOINTS, SLICE)) {
            JsonNode owners = server.get(each).at("/metadata/managedFields");
            assertThat(owners.path(0).path("manager").asText()).as(each).isEqualTo("apiserver-lite");
            assertThat(owners.path(0).path("operation").asText()).isEqualTo("Update");
        }
    }

    @Test
    void endpointsAndSlicesNameTheServer() {
        JsonNode endpoints = server.get(ENDPOINTS);
        assertThat(endpoints.path("subsets")).isEqualTo(read(subsets("192.0.2.10", server.port())));
        assertThat(endpoints.at("/metadata/labels"))
                .as("not mirrored to EndpointSlices")
                .isEqualTo(read("{\"endpointslice.kubernetes.io/skip-mirror\":\"true\"}"));
        JsonNode slice = server.get(SLICE);
        assertThat(slice.path("addressType").asText()).isEqualTo("IPv4");
        assertThat(slice.path("endpoints"))
                .isEqualTo(read("[{\"addresses\":[\"192.0.2.10\"],\"conditions\":{\"ready\":true}}]"));
        assertThat(slice.path("ports"))
                .isEqualTo(read("[{\"name\":\"https\",\"port\":" + server.port() + ",\"protocol\":\"TCP\"}]"));
        assertThat(slice.at("/metadata/labels")).isEqualTo(read("{\"kubernetes.io/service-name\":\"kubernetes\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SERVICE, ENDPOINTS, SLICE})
    void deletedObjectsAreRecreated(String path) {
        JsonNode first = server.get(path);
        server.send("DELETE", path, null);
        until(() -> server.code(path) == 200);
        JsonNode second = server.get(path);
        assertThat(second.at("/metadata/uid")).isNotEqualTo(first.at("/metadata/uid"));
        for (String field : List.of("spec", "subsets", "endpoints", "ports")) {
            assertThat(second.path(field)).isEqualTo(first.path(field));
        }
    }

    @Test
    void endpointsAreReconciledAndTheServiceIsKept() {
        try (RestartableServer changed = RestartableServer.start(ADDRESS)) {
            until(() -> changed.code(SLICE) == 200);
            changed.merge(SERVICE, "{\"spec\":{\"sessionAffinity\":\"ClientIP\"}}");
            changed.merge(ENDPOINTS, "{\"subsets\":" + subsets("192.0.2.77", 77) + "}");
            changed.merge(SLICE, "{\"endpoints\":[],\"metadata\":{\"labels\":{\"mine\":\"1\"}}}");
            until(() ->
                    changed.get(SLICE).at("/endpoints/0/addresses/0").asText().equals("192.0.2.10"));
            assertThat(changed.get(ENDPOINTS).path("subsets")).isEqualTo(read(subsets("192.0.2.10", changed.port())));
            assertThat(changed.get(SLICE).at("/metadata/labels/mine").asText())
                    .as("unmanaged objects are unchanged")
                    .isEqualTo("1");
            assertThat(changed.get(SERVICE).at("/spec/sessionAffinity").asText())
                    .isEqualTo("ClientIP");
        }
    }

    @Test
    void upToDateObjectsAreNotWritten() {
        List<String> versions = versions();
        // The recreated object shows that a round was completed since.
        server.send("DELETE", SLICE, null);
        until(() -> server.code(SLICE) == 200);
        assertThat(versions().subList(0, 2)).isEqualTo(versions.subList(0, 2));
    }

    private static List<String> versions() {
        return List.of(SERVICE, ENDPOINTS, SLICE).stream()
                .map(path -> server.get(path).at("/metadata/resourceVersion").asText())
                .toList();
    }

    @Test
    void restartUpdatesTheEndpoints() {
        try (RestartableServer moving = RestartableServer.start(ADDRESS)) {
            until(() -> moving.code(SLICE) == 200);
            moving.again("--advertise-address=192.0.2.20");
            until(() -> moving.get(SLICE)
                    .path("ports")
                    .equals(read("[{\"name\":\"https\",\"port\":" + moving.port() + ",\"protocol\":\"TCP\"}]")));
            assertThat(moving.get(ENDPOINTS).path("subsets")).isEqualTo(read(subsets("192.0.2.20", moving.port())));
            assertThat(moving.get(SLICE).at("/endpoints/0/addresses")).isEqualTo(read("[\"192.0.2.20\"]"));
        }
    }

    @Test
    void reconciliationCanBeDisabled() {
        try (RestartableServer silent = RestartableServer.start(ADDRESS, "--endpoint-reconciler-type=none")) {
            until(() -> silent.code(SERVICE) == 200);
            // Written after the endpoints would have been.
            until(() -> silent.code("/apis/apiregistration.k8s.io/v1/apiservices/v1.") == 200);
            silent.send("DELETE", SERVICE, null);
            until(() -> silent.code(SERVICE) == 200);
            assertThat(silent.code(ENDPOINTS)).isEqualTo(404);
            assertThat(silent.code(SLICE)).isEqualTo(404);
        }
    }

    /** A server that listens on a loopback address advertises the machine's address, as kube-apiserver does; without one, none. */
    @Test
    void addressDefaultsToThatOfTheMachine() throws SocketException {
        List<String> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address
                        && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .map(address -> String.valueOf(address.getHostAddress()))
                .toList();
        try (RestartableServer plain = RestartableServer.start()) {
            until(() -> plain.code(SERVICE) == 200);
            if (own.isEmpty()) {
                assertThat(plain.code(ENDPOINTS)).isEqualTo(404);
            } else {
                until(() -> plain.code(ENDPOINTS) == 200);
                assertThat(own).containsAll(addresses(plain.get(ENDPOINTS)));
            }
        }
    }

    @Test
    void endpointsListAllRunningServers() {
        try (EtcdServer etcd = EtcdServer.start();
                StandaloneServer stays = StandaloneServer.startWithRolesOn(etcd, "--advertise-address=192.0.2.31")) {
            try (StandaloneServer stops = StandaloneServer.startWithRolesOn(etcd, "--advertise-address=192.0.2.32")) {
                untilThereAre(stays, "192.0.2.31", "192.0.2.32");
                untilThereAre(stops, "192.0.2.31", "192.0.2.32");
            }
            untilThereAre(stays, "192.0.2.31");
            try (StandaloneServer dies =
                    StandaloneServer.startProcessWithRolesOn(etcd, "--advertise-address=192.0.2.33")) {
                untilThereAre(stays, "192.0.2.31", "192.0.2.33");
                dies.process().kill();
            }
            untilThereAre(stays, "192.0.2.31");
        }
    }

    private static void untilThereAre(StandaloneServer server, String... addresses) {
        until(() -> {
            JsonNode endpoints = TwoServers.json(TwoServers.get(server, ENDPOINTS));
            JsonNode slice = TwoServers.json(TwoServers.get(server, SLICE));
            List<String> sliced = new ArrayList<>();
            slice.path("endpoints")
                    .forEach(each -> sliced.add(each.at("/addresses/0").asText()));
            return addresses(endpoints).equals(List.of(addresses)) && sliced.equals(List.of(addresses));
        });
    }
}
