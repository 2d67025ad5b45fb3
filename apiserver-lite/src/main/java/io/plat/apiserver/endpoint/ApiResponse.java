package io.plat.apiserver.endpoint;

import io.plat.apiserver.representation.Body;
import io.plat.engine.lookup.Frozen;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Response to a request. */
public record ApiResponse(int code, String contentType, Map<String, List<String>> headers, Body body)
        implements EndpointResult {
    /** Default media type. */
    public static final String JSON = "application/json";

    public ApiResponse {
        headers = Frozen.copyOf(headers);
    }

    public static ApiResponse text(int code, String contentType, String text) {
        return new ApiResponse(code, contentType, Map.of(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    public ApiResponse with(String header, List<String> values) {
        Map<String, List<String>> more = new LinkedHashMap<>(headers);
        more.put(header, List.copyOf(values));
        return new ApiResponse(code, contentType, more, body);
    }
}
