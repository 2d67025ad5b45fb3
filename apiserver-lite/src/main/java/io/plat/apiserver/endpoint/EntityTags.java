package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.HashedDocument;
import io.plat.http.page.PageFile;
import io.plat.review.status.StatusException;
import java.util.List;

/** Conditional responses with entity tags (RFC 9110, 8.8.3 and 13.1.2). */
final class EntityTags {
    private EntityTags() {}

    /** Creates the full response. */
    @FunctionalInterface
    interface Full {
        ApiResponse answer() throws StatusException;
    }

    /** Returns a response tagged by a hash of its body, or 304 if the client has the same. */
    static ApiResponse tagged(Call call, ApiResponse full) throws StatusException {
        return tagged(call, HashedDocument.of(full.body().bytes()).hash(), () -> full);
    }

    /** Returns a response with the tag of its document, which depends on the Accept header, or 304 if the client has the same. */
    static ApiResponse tagged(Call call, String hash, Full full) throws StatusException {
        ApiResponse response = PageFile.isKnown(hash, call.incoming().header("If-None-Match"))
                ? ApiResponse.text(304, ApiResponse.JSON, "")
                : full.answer();
        return response.with("ETag", List.of('"' + hash + '"')).with("Vary", List.of("Accept"));
    }
}
