package io.plat.apiserver.discovery;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What {@code /version} says: the level of the field's conventions that is followed, and what runs here. */
public final class VersionDocument {
    private VersionDocument() {}

    /**
     * The document.
     *
     * @param productVersion the version of this program
     */
    public static ObjectNode of(String productVersion) {
        return DiscoveryDocuments.object()
                .put("major", "1")
                .put("minor", "32")
                .put("gitVersion", "v1.32.0+plat." + productVersion.replaceAll("[^0-9A-Za-z.-]", "-"))
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "javac " + Runtime.version().feature())
                .put(
                        "platform",
                        System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "/"
                                + System.getProperty("os.arch"));
    }
}
