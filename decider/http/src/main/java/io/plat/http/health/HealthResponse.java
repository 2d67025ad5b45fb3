package io.plat.http.health;

/**
 * An answer to a question about health.
 *
 * @param code 200, 404 for a check that does not exist, 500 where a check fails
 * @param text the body, plain text
 */
public record HealthResponse(int code, String text) {
    /** The media type of the body, as in kube-apiserver. */
    public static final String TYPE = "text/plain; charset=utf-8";
}
