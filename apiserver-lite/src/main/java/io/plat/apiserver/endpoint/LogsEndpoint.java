package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/**
 * {@code /logs}: files and listings of one directory ({@code --log-dir}). Anything that cannot be served is a 404, regardless of the
 * reason.
 */
record LogsEndpoint(LogDirectory directory) implements ApiEndpoint {
    private static final int BUFFER_BYTES = 1 << 14;

    /** Characters that need no escaping in the path of a link. */
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    @Override
    public ApiResponse answer(Call call) throws StatusException {
        try {
            return switch (directory.find(PathEndpoints.below(call, "/logs"))) {
                case LogDirectory.Listing listing -> page(PathEndpoints.path(call), listing);
                case LogDirectory.File file -> content(call, file);
            };
        } catch (IOException absent) {
            throw ApiErrors.notFound();
        }
    }

    private ApiResponse content(Call call, LogDirectory.File file) {
        String modified =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(file.modified().atOffset(ZoneOffset.UTC));
        String condition = call.incoming().header("If-Range");
        String range = condition.isEmpty() || condition.equals(modified)
                ? call.incoming().header("Range")
                : "";
        // Up to its current size: data appended meanwhile is not waited for.
        return ByteRange.of(range, file.size())
                .map(part -> part(file, part))
                .orElseGet(() -> answer(200, file, new ByteRange(0, file.size())))
                .with("Accept-Ranges", List.of("bytes"))
                .with("Last-Modified", List.of(modified));
    }

    private ApiResponse part(LogDirectory.File file, ByteRange part) {
        ApiResponse response = part.length() == 0
                ? ApiResponse.text(416, "text/plain; charset=utf-8", "416 range not satisfiable\n")
                : answer(206, file, part);
        return response.with("Content-Range", List.of(part.of(file.size())));
    }

    private ApiResponse answer(int code, LogDirectory.File file, ByteRange part) {
        String type = file.path().toString().endsWith(".gz") ? "application/gzip" : "text/plain; charset=utf-8";
        return new ApiResponse(code, type, Map.of(), out -> copy(file, part, out));
    }

    private void copy(LogDirectory.File file, ByteRange part, OutputStream out) throws IOException {
        try (SeekableByteChannel in = directory.open(file)) {
            in.position(part.from());
            ByteBuffer piece = ByteBuffer.allocate(BUFFER_BYTES);
            long rest = part.length();
            while (rest > 0) {
                piece.clear().limit((int) Math.min(rest, BUFFER_BYTES));
                int read = in.read(piece);
                if (read < 0) {
                    // It was truncated meanwhile, as by log rotation.
                    return;
                }
                out.write(piece.array(), 0, read);
                rest -= read;
            }
        }
    }

    private static ApiResponse page(String path, LogDirectory.Listing listing) {
        var page = new StringBuilder("<!doctype html>\n<pre>\n");
        for (String name : listing.names()) {
            page.append("<a href=\"")
                    .append(encoded(path + "/" + name))
                    .append("\">")
                    .append(Quoted.html(name))
                    .append("</a>\n");
        }
        page.append("</pre>\n");
        if (!listing.complete()) {
            page.append("<p>There are more than ")
                    .append(LogDirectory.MAX_LISTED)
                    .append(".</p>\n");
        }
        return ApiResponse.text(200, "text/html; charset=utf-8", page.toString());
    }

    private static String encoded(String path) {
        var encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = PLAIN.indexOf(b) >= 0;
            encoded.append(plain ? Character.toString(b) : "%%%02X".formatted(b & 0xff));
        }
        return encoded.toString();
    }
}
