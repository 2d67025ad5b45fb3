package io.plat.apiserver.authentication.oidc;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Rules for accepting an issuer's tokens and mapping their claims.
 *
 * @param issuer required {@code iss} claim
 * @param clientId required audience
 * @param username mapping to the user name
 * @param groups mapping to groups; no groups if its claim is {@code ""}
 * @param required required claims and their values
 * @param algorithms accepted signature algorithms
 */
public record IssuerRules(
        String issuer,
        String clientId,
        Mapping username,
        Mapping groups,
        Map<String, String> required,
        List<String> algorithms) {
    public IssuerRules {
        Objects.requireNonNull(issuer);
        Objects.requireNonNull(clientId);
        Objects.requireNonNull(username);
        Objects.requireNonNull(groups);
        required = Map.copyOf(required);
        algorithms = List.copyOf(algorithms);
    }

    /**
     * Mapping of a claim.
     *
     * @param claim its name
     * @param prefix prefix of its value
     */
    public record Mapping(String claim, String prefix) {
        public Mapping {
            Objects.requireNonNull(claim);
            Objects.requireNonNull(prefix);
        }
    }
}
