package io.plat.engine.webhook;

import io.plat.client.cache.Revised;
import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Approximate memory of a cached request. */
final class RequestSize {
    /** Requests with more characters are not cached, as in kube-apiserver: such requests are rare, or hostile. */
    private static final int HUGE = 10_000;

    /** The entry, the records and the headers of about a dozen strings. */
    private static final int FIXED_BYTES = 768;

    /** The header of a string and the reference to it, as characters. */
    private static final int STRING = 28;

    private RequestSize() {}

    static boolean isHuge(Attributes request) {
        return characters(request) > HUGE;
    }

    /** Returns the approximate memory, with two bytes per character, so never less than the actual one. */
    static int bytes(Attributes request, Revised<Decision> answer) {
        return FIXED_BYTES
                + 2
                        * (characters(request)
                                + answer.answer().reason().length()
                                + answer.revision().length());
    }

    private static int characters(Attributes request) {
        return characters(request.user()) + characters(request.access());
    }

    private static int characters(UserInfo user) {
        int sum = user.name().length() + user.uid().length() + characters(user.groups());
        for (Map.Entry<String, List<String>> extra : user.extra().entrySet()) {
            sum += STRING + extra.getKey().length() + characters(extra.getValue());
        }
        return sum;
    }

    private static int characters(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes path ->
                path.path().length() + path.verb().length();
            case ResourceAttributes resource ->
                resource.namespace().length()
                        + resource.verb().length()
                        + resource.group().length()
                        + resource.version().length()
                        + resource.resource().length()
                        + resource.subresource().length()
                        + resource.name().length()
                        + characters(resource.fieldSelector())
                        + characters(resource.labelSelector());
        };
    }

    private static int characters(@Nullable SelectorAttributes selector) {
        if (selector == null) {
            return 0;
        }
        int sum = selector.rawSelector().length();
        for (Requirement requirement : selector.requirements()) {
            sum += 2 * STRING
                    + requirement.key().length()
                    + requirement.operator().length()
                    + characters(requirement.values());
        }
        return sum;
    }

    private static int characters(List<String> texts) {
        int sum = 0;
        for (String text : texts) {
            sum += STRING + text.length();
        }
        return sum;
    }
}
