package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Cells of a service: its addresses and ports. */
final class ServiceCells {
    private ServiceCells() {}

    static List<Object> of(JsonNode service, Instant now) {
        JsonNode spec = service.path("spec");
        return List.of(
                Cells.name(service),
                Cells.text(spec.path("type")),
                internal(spec),
                external(service),
                ports(spec.path("ports")),
                Cells.age(service, now),
                Cells.labels(spec.path("selector")));
    }

    private static String internal(JsonNode spec) {
        String first = Cells.text(spec.path("clusterIPs").path(0));
        return Cells.orNone(first.isEmpty() ? Cells.text(spec.path("clusterIP")) : first);
    }

    private static String external(JsonNode service) {
        JsonNode spec = service.path("spec");
        List<String> given = new ArrayList<>();
        spec.path("externalIPs").forEach(address -> given.add(Cells.text(address)));
        return switch (Cells.text(spec.path("type"))) {
            case "ClusterIP", "NodePort" -> Cells.orNone(String.join(",", given));
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(balanced(service));
                all.addAll(given);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> Cells.text(spec.path("externalName"));
            default -> "<unknown>";
        };
    }

    private static Set<String> balanced(JsonNode service) {
        Set<String> addresses = new TreeSet<>();
        for (JsonNode ingress : service.at("/status/loadBalancer/ingress")) {
            String ip = Cells.text(ingress.path("ip"));
            String address = ip.isEmpty() ? Cells.text(ingress.path("hostname")) : ip;
            if (!address.isEmpty()) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private static String ports(JsonNode ports) {
        List<String> all = new ArrayList<>();
        for (JsonNode port : ports) {
            int onNodes = port.path("nodePort").asInt();
            all.add(port.path("port").asInt() + (onNodes > 0 ? ":" + onNodes : "") + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return Cells.orNone(String.join(",", all));
    }
}
