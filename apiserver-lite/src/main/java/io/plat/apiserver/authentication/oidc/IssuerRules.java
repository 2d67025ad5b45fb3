package io.plat.apiserver.authentication.oidc;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which tokens of an issuer are believed, and what their claims become.
 *
 * @param issuer the issuer, as the claim {@code iss} says it
 * @param clientId the audience that tokens have to be for
 * @param username what becomes the user name
 * @param groups what becomes groups; no groups where its claim is {@code ""}
 * @param required claims that a token has to have, with their values
 * @param algorithms the algorithms that it may be signed by
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
     * What a claim becomes.
     *
     * @param claim its name
     * @param prefix what is put in front of its value
     */
    public record Mapping(String claim, String prefix) {
        public Mapping {
            Objects.requireNonNull(claim);
            Objects.requireNonNull(prefix);
        }
    }
}
