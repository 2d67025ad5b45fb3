package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedSet;

/** The {@code kubernetes} service, its endpoints and the range of service addresses, in the form of kube-apiserver. */
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
     * Returns the service. It has no selector: the servers write its endpoints.
     *
     * @param address cluster IP
     * @param port port on which a server listens
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

    /** Returns the default range of service addresses. */
    static ObjectNode network(String cidr) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", NAME);
        object.putObject("spec").putArray("cidrs").add(cidr);
        return object;
    }

    /** Adds the condition that the range is ready, since its creation. */
    static void markReady(ObjectNode network) {
        network.withObject("/status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("reason", "")
                .put("message", "Kubernetes default Service CIDR is ready")
                .put(
                        "lastTransitionTime",
                        network.at("/metadata/creationTimestamp").asText());
    }

    /** Returns empty endpoints. */
    static ObjectNode endpoints() {
        return named();
    }

    /** Sets the addresses of endpoints, and excludes them from mirroring to slices. Other fields are unchanged. */
    static void fillEndpoints(ObjectNode object, SortedSet<String> addresses, int port) {
        label(object, "endpointslice.kubernetes.io/skip-mirror", "true");
        ObjectNode subset = object.putArray("subsets").addObject();
        ArrayNode list = subset.putArray("addresses");
        addresses.forEach(address -> list.addObject().put("ip", address));
        port(subset.putArray("ports").addObject(), port);
    }

    /** Returns an empty endpoint slice. */
    static ObjectNode slice() {
        ObjectNode object = named();
        object.put("addressType", "IPv4");
        return object;
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
        port(object.putArray("ports").addObject(), port);
    }

    private static void port(ObjectNode object, int port) {
        object.put("name", PORT_NAME).put("port", port).put("protocol", "TCP");
    }

    private static void label(ObjectNode object, String name, String value) {
        ((ObjectNode) object.path("metadata")).withObjectProperty("labels").put(name, value);
    }
}
