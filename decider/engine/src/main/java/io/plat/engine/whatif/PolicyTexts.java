package io.plat.engine.whatif;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.manifest.ManifestText;
import io.plat.review.PolicyTextReview;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.json.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Responses to PolicyTexts: the policy in effect as text, up to a size that fits into a page. */
public final class PolicyTexts {
    /** Maximum size of manifests and of lines, in characters. */
    static final int MAX_CHARACTERS = 192 << 10;

    private PolicyTexts() {}

    /** A text with a maximum length. */
    private static final class Bounded {
        private final StringBuilder text = new StringBuilder();
        private long leftOut;

        void add(String separator, String piece) {
            if (leftOut > 0 || text.length() + piece.length() > MAX_CHARACTERS) {
                leftOut++;
            } else {
                text.append(text.isEmpty() ? "" : separator).append(piece);
            }
        }

        void write(String name, JsonGenerator json) throws IOException {
            json.writeStringField(name, JsonText.wellFormed(text.toString()));
            if (leftOut > 0) {
                json.writeNumberField(name + "LeftOut", leftOut);
            }
        }
    }

    /** Returns the response as JSON in UTF-8. A part that no mode uses is left out. */
    public static byte[] of(PolicyTextReview review, Authorizer authorizer) {
        EffectivePolicy now = EffectivePolicy.of(authorizer);
        return ResponseDocument.of(PolicyTextReview.KIND, review.version(), json -> {
            if (!now.roles().isEmpty()) {
                manifests(now.roles(), review.match()).write("manifests", json);
            }
            if (!now.lines().isEmpty()) {
                lines(now.lines(), review.match()).write("lines", json);
            }
            ResponseDocument.unexplained(now.unexplained(), json);
        });
    }

    private static Bounded manifests(List<RbacPolicy> policies, String match) {
        List<RbacObject> objects = new ArrayList<>();
        policies.forEach(policy -> {
            objects.addAll(policy.roles());
            // Invalid references are omitted, as they grant nothing.
            policy.bindings().stream().filter(one -> one.role() != null).forEach(objects::add);
        });
        objects.sort(Comparator.comparing(RbacObject::key));
        Bounded text = new Bounded();
        for (RbacObject object : objects) {
            String manifest = ManifestText.of(object);
            if (holds(manifest, match)) {
                text.add("---\n", manifest);
            }
        }
        return text;
    }

    private static Bounded lines(List<AbacPolicy> policies, String match) {
        Bounded text = new Bounded();
        for (AbacPolicy policy : policies) {
            for (AbacLine line : policy.lines()) {
                if (holds(line.text(), match)) {
                    text.add("", line.text() + "\n");
                }
            }
        }
        return text;
    }

    private static boolean holds(String text, String match) {
        return match.isEmpty() || text.toLowerCase(Locale.ROOT).contains(match.toLowerCase(Locale.ROOT));
    }
}
