package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import java.util.List;
import java.util.Optional;

/** Answers that a client need not be sent again while they are the same (RFC 9110, 8.8.3 and 13.1.2). */
final class EntityTags {
    private EntityTags() {}

    /** What a client is told that has this state of a document already; empty for any other. */
    static Optional<Answer> unchanged(Call call, String hash) {
        for (String known : call.incoming().header("If-None-Match").split(",", -1)) {
            String tag = known.strip();
            if (tag.equals("*") || tag.equals(quoted(hash)) || tag.equals("W/" + quoted(hash))) {
                return Optional.of(Answer.text(304, Answer.JSON, ""));
            }
        }
        return Optional.empty();
    }

    /** An answer with a tag made of its body, or what a client is told that has the same already. */
    static Answer tagged(Call call, Answer full) {
        String hash = Document.of(full.body().bytes()).hash();
        return tagged(unchanged(call, hash).orElse(full), hash);
    }

    /** An answer with the tag of its document, which depends on what the client accepts. */
    static Answer tagged(Answer answer, String hash) {
        return answer.with("ETag", List.of(quoted(hash))).with("Vary", List.of("Accept"));
    }

    private static String quoted(String hash) {
        return "\"" + hash + "\"";
    }
}
