package io.plat.apiserver.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/** The cell of endpoints: each address with each port, the first few of them. */
final class EndpointCells {
    private static final int SHOWN = 3;

    /** In place of ports that a headless service need not have. */
    private static final JsonNode NO_PORT = JsonNodeFactory.instance.arrayNode().addNull();

    private EndpointCells() {}

    static String reached(JsonNode subsets) {
        List<String> all = new ArrayList<>();
        for (JsonNode subset : subsets) {
            for (JsonNode port : subset.path("ports").isEmpty() ? NO_PORT : subset.path("ports")) {
                for (JsonNode address : subset.path("addresses")) {
                    all.add(at(Cells.text(address.path("ip")), port));
                }
            }
        }
        String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return Cells.orNone(all.size() > SHOWN ? shown + " + " + (all.size() - SHOWN) + " more..." : shown);
    }

    private static String at(String address, JsonNode port) {
        if (port.isNull()) {
            return address;
        }
        return (address.contains(":") ? "[" + address + "]" : address) + ":"
                + port.path("port").asInt();
    }
}
