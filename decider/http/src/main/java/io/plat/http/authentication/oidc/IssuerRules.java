package io.plat.http.authentication.oidc;

import java.util.List;
import java.util.Map;

/**
 * Rules for accepting an issuer's tokens and mapping their claims.
 *
 * @param issuer required {@code iss} claim
 * @param clientId required audience
 * @param groups mapping to groups; no groups if its claim is {@code ""}
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
        required = Map.copyOf(required);
        algorithms = List.copyOf(algorithms);
    }

    /**
     * Mapping of a claim.
     *
     * @param prefix prefix of its value
     */
    public record Mapping(String claim, String prefix) {}
}
