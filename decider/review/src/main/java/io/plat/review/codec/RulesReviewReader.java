package io.plat.review.codec;

import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.status.StatusException;
import java.io.IOException;

/** Reads one SelfSubjectRulesReview. */
final class RulesReviewReader {
    private String namespace = "";

    private RulesReviewReader() {}

    static RulesReview read(Body body, ReviewVersion version) throws StatusException {
        RulesReviewReader reader = new RulesReviewReader();
        Envelope.read(body, RulesReview.KIND, version, reader::spec);
        if (reader.namespace.isEmpty()) {
            // The words of existing servers.
            throw Members.malformed("no namespace on request");
        }
        return new RulesReview(version, reader.namespace);
    }

    private void spec(Members members) throws IOException, StatusException {
        if (!members.object("spec")) {
            return;
        }
        int seen = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            if (name.equals("namespace")) {
                seen = Members.once(seen, 1, "spec.namespace");
                namespace = members.string("spec.namespace");
            } else {
                members.skip();
            }
        }
    }
}
