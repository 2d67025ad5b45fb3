package io.plat.apiserver.authentication.account;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.http.authentication.jwt.KeySet;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * Documents with which others verify the tokens of this server: its key set (RFC 7517) and the discovery document that points to it
 * (OpenID Connect Discovery 1.0, section 3).
 */
public record IssuerDocuments(String configuration, String keys) {
    public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";

    public static final String KEYS_PATH = "/openid/v1/jwks";

    /**
     * Returns the documents of an issuer; empty if the issuer is not an {@code https} URL.
     *
     * @param keysUrl advertised URL of the key set; {@code ""} for {@link #KEYS_PATH} below the issuer
     */
    public static Optional<IssuerDocuments> of(String issuer, String keysUrl, KeySet keys) {
        if (!isDiscoverable(issuer)) {
            return Optional.empty();
        }
        ObjectNode configuration = JsonNodeFactory.instance.objectNode().put("issuer", issuer);
        String below = (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + KEYS_PATH;
        configuration.put("jwks_uri", keysUrl.isEmpty() ? below : keysUrl);
        configuration.putArray("response_types_supported").add("id_token");
        configuration.putArray("subject_types_supported").add("public");
        ArrayNode algorithms = configuration.putArray("id_token_signing_alg_values_supported");
        keys.algorithms().forEach(algorithms::add);
        return Optional.of(new IssuerDocuments(configuration.toString(), keys.document()));
    }

    private static boolean isDiscoverable(String issuer) {
        try {
            URI uri = new URI(issuer);
            return "https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException _) {
            return false;
        }
    }
}
