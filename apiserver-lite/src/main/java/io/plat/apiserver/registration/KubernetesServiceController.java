package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.operations.ManagedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the {@code kubernetes} service, its endpoints and the range of service addresses, in rounds of a few seconds: creates missing
 * objects, and updates the addresses. An existing service is left unchanged, regardless of its creator.
 */
final class KubernetesServiceController implements AutoCloseable {
    static final String NAME = "kubernetes";
    static final String NAMESPACE = "default";

    /** The service has no selector: the servers write its endpoints. */
    private static final String SERVICE = """
        {"metadata": {"name": "kubernetes", "namespace": "default",
                      "labels": {"provider": "kubernetes", "component": "apiserver"}},
         "spec": {"clusterIP": "%s", "ipFamilyPolicy": "SingleStack", "sessionAffinity": "None", "type": "ClusterIP",
                  "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": %d}]}}\
        """;

    private static final String RANGE = """
        {"metadata": {"name": "kubernetes"}, "spec": {"cidrs": ["%s"]}}\
        """;
    /** The range is ready since its creation. */
    private static final String READY = """
        {"conditions": [{"type": "Ready", "status": "True", "reason": "",
                         "message": "Kubernetes default Service CIDR is ready", "lastTransitionTime": "%s"}]}\
        """;

    private static final String ENDPOINTS = """
        {"metadata": {"name": "kubernetes", "namespace": "default"}}\
        """;
    private static final String SLICE = """
        {"metadata": {"name": "kubernetes", "namespace": "default"}, "addressType": "IPv4"}\
        """;
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesServiceController.class);
    private static final Duration ROUND = Duration.ofSeconds(5);

    private final ManagedObject network;
    private final ManagedObject service;
    private final ManagedObject endpoints;
    private final ManagedObject slice;
    private final ItemRange addresses;
    private final Presence presence;
    private final CompletableFuture<Integer> port;
    private final BackgroundLoop rounds = BackgroundLoop.virtual("kubernetes-service", this::round);
    private String lastFailure = "";
    private volatile boolean closed;

    /**
     * @param addresses range of cluster IPs; the service has the first one
     * @param port port of this server, once it listens; nothing is done before
     */
    KubernetesServiceController(
            ResourceOperations operations,
            ResourceCatalog catalog,
            ItemRange addresses,
            Presence presence,
            CompletableFuture<Integer> port) {
        this.network = managed(operations, catalog, "networking.k8s.io", "servicecidrs");
        this.service = managed(operations, catalog, "", "services");
        this.endpoints = managed(operations, catalog, "", "endpoints");
        this.slice = managed(operations, catalog, "discovery.k8s.io", "endpointslices");
        this.addresses = addresses;
        this.presence = presence;
        this.port = port;
    }

    private static ManagedObject managed(
            ResourceOperations operations, ResourceCatalog catalog, String group, String resource) {
        var type = catalog.find(group, "v1", resource).orElseThrow();
        String namespace = type.namespaced() ? NAMESPACE : "";
        return new ManagedObject(operations, new Target(type, namespace, NAME));
    }

    /** Starts once the server listens. */
    void start() {
        var _ = port.thenAccept(listening -> rounds.start());
    }

    private Duration round() {
        try {
            keep(port.join());
            lastFailure = "";
        } catch (StatusException e) {
            logFailure(String.valueOf(e.status().message()));
        } catch (StorageException e) {
            logFailure(String.valueOf(e.getMessage()));
        }
        return ROUND;
    }

    /** Logs a failure once, not in every round. */
    private void logFailure(String reason) {
        if (!reason.equals(lastFailure) && !closed) {
            LOG.warn("the service kubernetes and its endpoints are not up to date: cause={}", reason);
        }
        lastFailure = reason;
    }

    private void keep(int listening) throws StatusException, StorageException {
        if (service.now().isEmpty()) {
            service.create(Json.parse(SERVICE.formatted(addresses.at(0), listening)));
        }
        Optional<ObjectNode> range = network.now();
        if (range.isEmpty()) {
            network.create(Json.parse(RANGE.formatted(addresses)));
        } else if (range.get().path("status").isEmpty()) {
            ObjectNode ready = range.get().deepCopy();
            ready.set(
                    "status",
                    Json.parse(READY.formatted(
                            ready.at("/metadata/creationTimestamp").asText())));
            network.updateStatus(ready);
        }
        SortedSet<String> servers = new TreeSet<>(presence.present());
        if (servers.isEmpty()) {
            // This server is stopping or not advertised: the other addresses stay.
            return;
        }
        keep(endpoints, Json.parse(ENDPOINTS), object -> fillEndpoints(object, servers, listening));
        keep(slice, Json.parse(SLICE), object -> fillSlice(object, servers, listening));
    }

    private static void keep(ManagedObject written, ObjectNode empty, Consumer<ObjectNode> filling)
            throws StatusException {
        Optional<ObjectNode> now = written.now();
        ObjectNode object = now.map(ObjectNode::deepCopy).orElse(empty);
        filling.accept(object);
        if (now.isEmpty()) {
            written.create(object);
        } else if (!object.equals(now.get())) {
            written.update(object);
        }
    }

    @Override
    public void close() {
        closed = true;
        rounds.close();
    }

    /** Sets the addresses of endpoints, and excludes them from mirroring to slices. Other fields are unchanged. */
    static void fillEndpoints(ObjectNode object, SortedSet<String> addresses, int port) {
        label(object, "endpointslice.kubernetes.io/skip-mirror", "true");
        ObjectNode subset = object.putArray("subsets").addObject();
        ArrayNode list = subset.putArray("addresses");
        addresses.forEach(address -> list.addObject().put("ip", address));
        addPort(subset.putArray("ports").addObject(), port);
    }

    /** Sets the addresses of a slice. Other fields are unchanged. */
    static void fillSlice(ObjectNode object, SortedSet<String> addresses, int port) {
        label(object, "kubernetes.io/service-name", NAME);
        ArrayNode endpoints = object.putArray("endpoints");
        for (String address : addresses) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address);
            endpoint.putObject("conditions").put("ready", true);
        }
        addPort(object.putArray("ports").addObject(), port);
    }

    private static void addPort(ObjectNode object, int port) {
        object.put("name", "https").put("port", port).put("protocol", "TCP");
    }

    private static void label(ObjectNode object, String name, String value) {
        ((ObjectNode) object.path("metadata")).withObjectProperty("labels").put(name, value);
    }
}
