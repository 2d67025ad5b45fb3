package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.review.request.RequestInfo.PathRequest;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Dispatches an admitted request to its endpoint, solely by the attributes for which it was authorized. */
public record Dispatcher(ResourceEndpoints resources, PathEndpoints paths) {
    /** Header field with warnings for the client (RFC 7234, 5.5). */
    public static final String WARNING = "Warning";

    /** Maximum total length of all texts, in characters. */
    private static final int MAX_TOTAL_LENGTH = 4096;

    /** Maximum length of each text when truncated, in characters. */
    private static final int MAX_TEXT_LENGTH = 256;

    /** Serves a request; may block unless it {@linkplain #answersFromMemory is answered from memory}. */
    public EndpointResult serve(Call call) throws StatusException {
        return switch (call.info()) {
            case ResourceRequest request -> warned(call, resources.serve(call, request));
            case PathRequest _ -> paths.serve(call);
        };
    }

    private static EndpointResult warned(Call call, EndpointResult served) {
        if (!(served instanceof ApiResponse response) || call.warnings().isEmpty()) {
            return served;
        }
        return response.with(WARNING, warnings(call.warnings()));
    }

    /** Returns whether the response neither blocks nor takes long, as for a single object that is served as stored in memory. */
    public boolean answersFromMemory(Call call) {
        return call.info() instanceof ResourceRequest request && resources.answersFromMemory(call, request);
    }

    /** Returns the header values: one for each distinct text. */
    public static List<String> warnings(List<String> texts) {
        List<String> distinct = texts.stream().distinct().toList();
        long all = distinct.stream().mapToLong(String::length).sum();
        int each = all <= MAX_TOTAL_LENGTH ? MAX_TOTAL_LENGTH : MAX_TEXT_LENGTH;
        List<String> values = new ArrayList<>();
        int written = 0;
        for (String text : distinct) {
            if (written >= MAX_TOTAL_LENGTH) {
                break;
            }
            String part = text.substring(0, Math.min(text.length(), each));
            written += part.length();
            values.add(value(part));
        }
        return values;
    }

    private static String value(String text) {
        StringBuilder quoted = new StringBuilder("299 - \"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else {
                // A header contains no line ends, and non-ASCII characters have no agreed meaning in it.
                quoted.append(b >= ' ' && b < 0x7f ? (char) b : '?');
            }
        }
        return quoted.append('"').toString();
    }
}
