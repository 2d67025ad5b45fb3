package io.plat.apiserver.resource;

import java.util.List;
import java.util.Optional;

/** Validation of NetworkPolicy objects, with the messages of kube-apiserver. */
final class NetworkPolicyCheck {
    private static final List<String> DIRECTIONS = List.of("Egress", "Ingress");

    private NetworkPolicyCheck() {}

    static void check(Field spec) {
        SelectorCheck.check(spec.at("podSelector"));
        direction(spec.at("ingress"), "from");
        direction(spec.at("egress"), "to");
        Field types = spec.at("policyTypes");
        if (types.value().size() > DIRECTIONS.size()) {
            types.invalidValue("may not specify more than two policyTypes");
            return;
        }
        for (Field type : types) {
            if (!DIRECTIONS.contains(type.text())) {
                type.notSupported(DIRECTIONS);
            }
        }
    }

    private static void direction(Field rules, String peers) {
        for (Field rule : rules) {
            rule.at("ports").forEach(NetworkPolicyCheck::port);
            rule.at(peers).forEach(NetworkPolicyCheck::peer);
        }
    }

    private static void port(Field rule) {
        Field port = rule.at("port");
        Field last = rule.at("endPort");
        PortNames.checkNumberOrName(port);
        if (!last.isNumber()) {
            return;
        }
        if (port.isMissing()) {
            last.invalidValue("may not be specified when `port` is not specified");
        } else if (port.value().isTextual()) {
            last.invalidValue("may not be specified when `port` is non-numeric");
        } else if (last.number() < port.number()) {
            last.invalidValue("must be greater than or equal to `port`");
        } else {
            PortNames.checkNumber(last);
        }
    }

    private static void peer(Field peer) {
        peer.require("must specify a peer");
        SelectorCheck.check(peer.at("podSelector"));
        SelectorCheck.check(peer.at("namespaceSelector"));
        if (peer.has("ipBlock")) {
            if (peer.value().size() > 1) {
                peer.forbidden("may not specify both ipBlock and another peer");
            }
            block(peer.at("ipBlock"));
        }
    }

    private static void block(Field block) {
        Field cidr = block.at("cidr");
        if (!cidr.require("")) {
            return;
        }
        cidr.cidr();
        Optional<IpLiterals.Range> all = IpLiterals.range(cidr.text());
        for (Field except : block.at("except")) {
            except.cidr();
            Optional<IpLiterals.Range> part = IpLiterals.range(except.text());
            if (all.isPresent() && part.isPresent() && !strictlyWithin(all.get(), part.get())) {
                except.invalid("must be a strict subset of `cidr`");
            }
        }
    }

    private static boolean strictlyWithin(IpLiterals.Range all, IpLiterals.Range part) {
        return all.length() < part.length() && all.contains(part.address());
    }
}
