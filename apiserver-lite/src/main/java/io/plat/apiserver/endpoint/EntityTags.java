package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.http.page.PageFile;
import io.plat.review.status.StatusException;
import java.util.List;

/** Answers that a client need not be sent again while they are the same (RFC 9110, 8.8.3 and 13.1.2). */
final class EntityTags {
    private EntityTags() {}

    /** Makes an answer. */
    @FunctionalInterface
    interface Full {
        Answer answer() throws StatusException;
    }

    /** An answer with a tag made of its body, or 304 for a client that has the same already. */
    static Answer tagged(Call call, Answer full) throws StatusException {
        return tagged(call, Document.of(full.body().bytes()).hash(), () -> full);
    }

    /** An answer with the tag of its document, which depends on what the client accepts, or 304 for a client that has the same already. */
    static Answer tagged(Call call, String hash, Full full) throws StatusException {
        Answer answer = PageFile.isKnown(hash, call.incoming().header("If-None-Match"))
                ? Answer.text(304, Answer.JSON, "")
                : full.answer();
        return answer.with("ETag", List.of('"' + hash + '"')).with("Vary", List.of("Accept"));
    }
}
