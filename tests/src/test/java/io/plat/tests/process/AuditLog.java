package io.plat.tests.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Audit log of an API server.
 *
 * @param file the file
 */
public record AuditLog(Path file) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the events of a request, in the order of the log. */
    public List<JsonNode> events(String auditId) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.contains("\"auditID\":\"" + auditId + "\""))
                    .map(AuditLog::parsed)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
