package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.review.status.StatusException;

/** {@code /openapi/v3} and below. The addresses in the index change with the documents, which may therefore be kept. */
final class OpenApiEndpoint implements Endpoint {
    private final OpenApiDocuments documents;

    OpenApiEndpoint(OpenApiDocuments documents) {
        this.documents = documents;
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, TypeMeta.UNKNOWN);
        byte[] document =
                documents.find(Paths.withoutTrailingSlash(call.info().path())).orElseThrow(Failures::notFound);
        return answer.of(200, document);
    }
}
