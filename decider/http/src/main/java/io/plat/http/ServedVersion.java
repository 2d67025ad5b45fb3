package io.plat.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

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
        ByteArrayOutputStream body = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JsonFactories.create().createGenerator(body)) {
            json.writeStartObject();
            json.writeStringField("major", MAJOR);
            json.writeStringField("minor", MINOR);
            json.writeStringField("gitVersion", "v" + MAJOR + "." + MINOR + ".0+plat-" + product);
            json.writeStringField("gitCommit", "");
            json.writeStringField("gitTreeState", "");
            json.writeStringField("buildDate", "1970-01-01T00:00:00Z");
            json.writeStringField("goVersion", "");
            json.writeStringField("compiler", "javac");
            json.writeStringField("platform", "java/" + Runtime.version().feature());
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return body.toByteArray();
    }
}
