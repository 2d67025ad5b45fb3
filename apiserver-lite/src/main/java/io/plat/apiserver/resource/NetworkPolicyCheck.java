package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** What is wrong with who may speak with pods, and whom they may speak with: in the words of existing servers. */
final class NetworkPolicyCheck {
    private static final List<String> DIRECTIONS = List.of("Egress", "Ingress");

    private final JsonNode spec;
    private final Causes causes;

    private NetworkPolicyCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks one. */
    static void check(JsonNode policy, Causes causes) {
        new NetworkPolicyCheck(policy.path("spec"), causes).check();
    }

    private void check() {
        SelectorCheck.check("spec.podSelector", spec.path("podSelector"), causes);
        direction("ingress", "from");
        direction("egress", "to");
        JsonNode types = spec.path("policyTypes");
        if (types.size() > DIRECTIONS.size()) {
            causes.invalidValue("spec.policyTypes", types, "may not specify more than two policyTypes");
            return;
        }
        for (int i = 0; i < types.size(); i++) {
            if (!DIRECTIONS.contains(types.path(i).asText())) {
                causes.notSupported("spec.policyTypes[" + i + "]", types.path(i).asText(), DIRECTIONS);
            }
        }
    }

    private void direction(String direction, String peers) {
        for (int i = 0; i < spec.path(direction).size(); i++) {
            JsonNode rule = spec.path(direction).path(i);
            String field = "spec." + direction + "[" + i + "]";
            for (int j = 0; j < rule.path("ports").size(); j++) {
                port(field + ".ports[" + j + "]", rule.path("ports").path(j));
            }
            for (int j = 0; j < rule.path(peers).size(); j++) {
                peer(field + "." + peers + "[" + j + "]", rule.path(peers).path(j));
            }
        }
    }

    private void port(String field, JsonNode rule) {
        JsonNode port = rule.path("port");
        JsonNode last = rule.path("endPort");
        PortNames.checkNumberOrName(field + ".port", port, causes);
        if (!last.isNumber()) {
            return;
        }
        if (port.isMissingNode()) {
            causes.invalidValue(field + ".endPort", last, "may not be specified when `port` is not specified");
        } else if (port.isTextual()) {
            causes.invalidValue(field + ".endPort", last, "may not be specified when `port` is non-numeric");
        } else if (last.asLong() < port.asLong()) {
            causes.invalidValue(field + ".endPort", last, "must be greater than or equal to `port`");
        } else {
            ServiceRules.checkPort(field + ".endPort", last, causes);
        }
    }

    private void peer(String field, JsonNode peer) {
        if (peer.isEmpty()) {
            causes.required(field, "must specify a peer");
        }
        for (String selector : List.of("podSelector", "namespaceSelector")) {
            SelectorCheck.check(field + "." + selector, peer.path(selector), causes);
        }
        if (peer.has("ipBlock")) {
            if (peer.size() > 1) {
                causes.forbidden(field, "may not specify both ipBlock and another peer");
            }
            block(field + ".ipBlock", peer.path("ipBlock"));
        }
    }

    private void block(String field, JsonNode block) {
        String cidr = Json.text(block, "cidr");
        if (cidr.isEmpty()) {
            causes.required(field + ".cidr", "");
            return;
        }
        IpLiterals.checkRange(field + ".cidr", cidr, causes);
        Optional<IpLiterals.Range> all = IpLiterals.range(cidr);
        for (int i = 0; i < block.path("except").size(); i++) {
            String except = block.path("except").path(i).asText();
            String at = field + ".except[" + i + "]";
            IpLiterals.checkRange(at, except, causes);
            Optional<IpLiterals.Range> part = IpLiterals.range(except);
            if (all.isPresent() && part.isPresent() && !strictlyWithin(all.get(), part.get())) {
                causes.invalid(at, except, "must be a strict subset of `cidr`");
            }
        }
    }

    private static boolean strictlyWithin(IpLiterals.Range all, IpLiterals.Range part) {
        return all.length() < part.length() && all.contains(part.address());
    }
}
