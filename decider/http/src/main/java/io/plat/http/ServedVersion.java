package io.plat.http;

import io.plat.review.codec.ResponseDocument;

/** The document at {@code /version}: the Kubernetes version of the API, and the product's own. */
public final class ServedVersion {
    /** The Kubernetes version (contract, "Two vocabularies"). */
    private static final String MAJOR = "1";

    private static final String MINOR = "32";

    private ServedVersion() {}

    /**
     * Returns the document as JSON in UTF-8.
     *
     * @param product the product's own version
     */
    public static byte[] encode(String product) {
        return ResponseDocument.written(json -> {
            json.writeStringField("major", MAJOR);
            json.writeStringField("minor", MINOR);
            json.writeStringField("gitVersion", "v" + MAJOR + "." + MINOR + ".0+plat-" + product);
            json.writeStringField("gitCommit", "");
            json.writeStringField("gitTreeState", "");
            json.writeStringField("buildDate", "1970-01-01T00:00:00Z");
            json.writeStringField("goVersion", "");
            json.writeStringField("compiler", "javac");
            json.writeStringField("platform", "java/" + Runtime.version().feature());
        });
    }
}
