package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.openapi.SwaggerListings;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.review.status.StatusException;

/** {@code /swaggerapi} and below: what earlier clients validate objects by (specification, "Non-resource paths"). */
final class SwaggerListingEndpoint implements Endpoint {
    private static final String ROOT = "/swaggerapi";

    private final SwaggerListings listings;

    /** Listings made of the document of version 2. */
    SwaggerListingEndpoint(OpenApiDocuments documents) {
        this.listings = new SwaggerListings(documents::swagger);
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, TypeMeta.UNKNOWN);
        String path = Paths.withoutTrailingSlash(call.info().path());
        String below = path.equals(ROOT) ? "" : path.substring(ROOT.length() + 1);
        Document document = listings.find(below).orElseThrow(Failures::notFound);
        return EntityTags.tagged(call, answer.of(200, document.bytes()));
    }
}
