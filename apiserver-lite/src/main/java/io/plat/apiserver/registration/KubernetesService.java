package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedSet;

/** The service by which clients inside reach the servers, and its endpoints, as existing servers write them. */
final class KubernetesService {
    static final String NAME = "kubernetes";
    static final String NAMESPACE = "default";

    private static final int PORT = 443;
    private static final String PORT_NAME = "https";

    private KubernetesService() {}

    private static ObjectNode named() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", NAME).put("namespace", NAMESPACE);
        return object;
    }

    /**
     * The service. It selects no pods: its endpoints are written by the servers.
     *
     * @param address its cluster IP
     * @param port the port that a server listens on
     */
    static ObjectNode service(String address, int port) {
        ObjectNode object = named();
        label(object, "provider", "kubernetes");
        label(object, "component", "apiserver");
        ObjectNode spec = object.putObject("spec");
        spec.put("clusterIP", address)
                .put("ipFamilyPolicy", "SingleStack")
                .put("sessionAffinity", "None")
                .put("type", "ClusterIP");
        spec.putArray("ports")
                .addObject()
                .put("name", PORT_NAME)
                .put("port", PORT)
                .put("protocol", "TCP")
                .put("targetPort", port);
        return object;
    }

    /** Endpoints that have nothing yet. */
    static ObjectNode endpoints() {
        return named();
    }

    /** Has endpoints say where the servers are; nobody is to make slices of them. What else is said stays. */
    static void fillEndpoints(ObjectNode object, SortedSet<String> addresses, int port) {
        label(object, "endpointslice.kubernetes.io/skip-mirror", "true");
        ObjectNode subset = object.putArray("subsets").addObject();
        ArrayNode list = subset.putArray("addresses");
        addresses.forEach(address -> list.addObject().put("ip", address));
        port(subset.putArray("ports").addObject(), port);
    }

    /** A slice that has nothing yet. */
    static ObjectNode slice() {
        ObjectNode object = named();
        object.put("addressType", "IPv4");
        return object;
    }

    /** Has a slice say where the servers are. What else is said stays. */
    static void fillSlice(ObjectNode object, SortedSet<String> addresses, int port) {
        label(object, "kubernetes.io/service-name", NAME);
        ArrayNode endpoints = object.putArray("endpoints");
        for (String address : addresses) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(address);
            endpoint.putObject("conditions").put("ready", true);
        }
        port(object.putArray("ports").addObject(), port);
    }

    private static void port(ObjectNode object, int port) {
        object.put("name", PORT_NAME).put("port", port).put("protocol", "TCP");
    }

    private static void label(ObjectNode object, String name, String value) {
        ((ObjectNode) object.path("metadata")).withObjectProperty("labels").put(name, value);
    }
}
