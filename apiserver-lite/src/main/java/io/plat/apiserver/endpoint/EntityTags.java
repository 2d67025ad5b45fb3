package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.http.page.PageFile;
import io.plat.review.status.StatusException;
import java.util.List;

/** Conditional responses with entity tags (RFC 9110, 8.8.3 and 13.1.2). */
final class EntityTags {
    private EntityTags() {}

    /** Creates the full response. */
    @FunctionalInterface
    interface Full {
        Answer answer() throws StatusException;
    }

    /** Returns a response tagged by a hash of its body, or 304 if the client has the same. */
    static Answer tagged(Call call, Answer full) throws StatusException {
        return tagged(call, Document.of(full.body().bytes()).hash(), () -> full);
    }

    /** Returns a response with the tag of its document, which depends on the Accept header, or 304 if the client has the same. */
    static Answer tagged(Call call, String hash, Full full) throws StatusException {
        Answer answer = PageFile.isKnown(hash, call.incoming().header("If-None-Match"))
                ? Answer.text(304, Answer.JSON, "")
                : full.answer();
        return answer.with("ETag", List.of('"' + hash + '"')).with("Vary", List.of("Accept"));
    }
}
