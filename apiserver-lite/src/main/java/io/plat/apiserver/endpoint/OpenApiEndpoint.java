package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;

/**
 * {@code /openapi/v3} and below. The addresses in the index change with the documents: who asks by one of them may keep the answer, and
 * one whose address is of an earlier state is sent to the present one.
 */
final class OpenApiEndpoint implements Endpoint {
    private final OpenApiDocuments documents;

    OpenApiEndpoint(OpenApiDocuments documents) {
        this.documents = documents;
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, TypeMeta.UNKNOWN);
        String path = Paths.withoutTrailingSlash(call.info().path());
        Document document = documents.find(path).orElseThrow(Failures::notFound);
        Optional<String> asked = call.info().query().first("hash");
        if (asked.isPresent() && !asked.get().equals(document.hash())) {
            return Answer.text(301, "text/plain; charset=utf-8", "")
                    .with("Location", List.of(path + "?hash=" + document.hash()));
        }
        Optional<Answer> unchanged = EntityTags.unchanged(call, document.hash());
        Answer full = unchanged.isPresent() ? unchanged.get() : answer.of(200, document.bytes());
        Answer tagged = EntityTags.tagged(full, document.hash());
        return asked.isPresent() ? tagged.with("Cache-Control", List.of("public, immutable")) : tagged;
    }
}
