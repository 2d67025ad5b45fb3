package io.plat.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.client.remote.MalformedAnswerException;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.codec.ReviewCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's codec, compared with that of the module review. */
class ReviewFormatTest {
    private static final ReviewCodec CODEC = new ReviewCodec();

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "", "get", "pods", "team-a", "a\"b\\c", "\u0001\u2028é\uD83D\uDE00", "\uD83D", "\uDE00x"),
                Arbitraries.strings().ofMaxLength(12));
    }

    @Provide
    Arbitrary<Attributes> attributes() {
        Arbitrary<String> text = texts();
        Arbitrary<UserInfo> users = Combinators.combine(
                        text,
                        text,
                        text.list().ofMaxSize(3),
                        Arbitraries.maps(text, text.list().ofMaxSize(2)).ofMaxSize(3))
                .as(UserInfo::new);
        Arbitrary<AccessAttributes> resources = text.list()
                .ofSize(7)
                .map(it -> new ResourceAttributes(
                        it.get(0), it.get(1), it.get(2), it.get(3), it.get(4).replace("/", ""), it.get(5), it.get(6)));
        Arbitrary<AccessAttributes> paths = Combinators.combine(text, text).as(NonResourceAttributes::new);
        return Combinators.combine(users, Arbitraries.oneOf(resources, paths)).as(Attributes::new);
    }

    static Access access(Attributes attributes) {
        UserInfo user = attributes.user();
        Access access;
        if (attributes.access() instanceof ResourceAttributes it) {
            String resource = it.subresource().isEmpty() ? it.resource() : it.resource() + "/" + it.subresource();
            access = Access.resource(it.verb(), it.group(), resource)
                    .in(it.namespace())
                    .version(it.version())
                    .named(it.name());
        } else {
            NonResourceAttributes it = (NonResourceAttributes) attributes.access();
            access = Access.path(it.verb(), it.path());
        }
        return access.by(user.name(), user.uid(), user.groups(), user.extra());
    }

    @Property
    void requestsAreTheSameBytes(@ForAll("attributes") Attributes attributes) {
        assertThat(new String(ReviewFormat.encode(access(attributes)), StandardCharsets.UTF_8))
                .isEqualTo(new String(CODEC.encodeRequest(ReviewVersion.K8S_V1, attributes), StandardCharsets.UTF_8));
    }

    @Property
    void equalAttributesAreEqual(@ForAll("attributes") Attributes one, @ForAll("attributes") Attributes other) {
        assertThat(access(one)).isEqualTo(access(one)).hasSameHashCodeAs(access(one));
        assertThat(access(one).compareTo(access(one))).isZero();
        assertThat(access(one).equals(access(other))).isEqualTo(one.equals(other));
        assertThat(access(one).compareTo(access(other)) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(access(one).compareTo(access(other))))
                .isEqualTo(-Integer.signum(access(other).compareTo(access(one))));
    }

    @Property
    void responsesAreReadLikeInModuleReview(
            @ForAll("attributes") Attributes attributes, @ForAll boolean allowed, @ForAll("texts") String reason) {
        AccessReview review = new AccessReview(
                ReviewKind.SUBJECT_ACCESS_REVIEW, ReviewVersion.K8S_V1, attributes.user(), attributes.access());
        compare(CODEC.encodeResponse(review, ReviewStatus.of(allowed, reason)));
    }

    @Property
    void changedResponsesAreReadLikeInModuleReview(@ForAll @IntRange(max = 1000) int position, @ForAll byte value) {
        byte[] body =
                answer("{\"allowed\":false,\"denied\":true,\"reason\":\"r\"}").getBytes(StandardCharsets.UTF_8);
        body[position % body.length] = value;
        compare(body);
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries.of(
                "{",
                "}",
                ":",
                ",",
                "\"allowed\"",
                "true",
                "false",
                "null",
                "\"denied\"",
                "\"reason\"",
                "\"x\"",
                "1",
                "[",
                "]",
                "\"allowed\":true",
                "\"denied\":true");
    }

    @Property
    void shuffledStatusesAreReadLikeInModuleReview(
            @ForAll @Size(max = 12) List<@net.jqwik.api.From("pieces") String> pieces) {
        compare(answer(String.join("", pieces)).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"allowed\":true}",
                "{\"allowed\":true,\"denied\":true}",
                "{\"allowed\":true,\"allowed\":true}",
                "{\"allowed\":\"true\"}",
                "{\"allowed\":null}",
                "{\"allowed\":true,\"denied\":null,\"reason\":null,\"evaluationError\":null}",
                "{\"allowed\":true,\"reason\":1}",
                "{\"allowed\":true,\"evaluationError\":[]}",
                "{\"allowed\":true,\"further\":{\"allowed\":false}}",
                "{\"Allowed\":true}",
                "{}",
                "null",
                "[]",
                "{\"allowed\":true}} ",
                "{\"allowed\":true},\"status\":{\"allowed\":false}",
                "{\"allowed\":true},\"kind\":\"Status\"",
            })
    void statusesAreReadLikeInModuleReview(String status) {
        compare(answer(status).getBytes(StandardCharsets.UTF_8));
    }

    private static String answer(String status) {
        return "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"metadata\":{},\"status\":"
                + status + "}";
    }

    private static void compare(byte[] body) {
        @Nullable ReviewStatus expected;
        try {
            expected = CODEC.decodeResponse(body, ReviewVersion.K8S_V1);
        } catch (MalformedResponseException e) {
            expected = null;
        }
        String text = new String(body, StandardCharsets.UTF_8);
        if (expected == null) {
            assertThatThrownBy(() -> ReviewFormat.decode(body))
                    .as(text)
                    .isInstanceOf(MalformedAnswerException.class)
                    .hasMessageNotContainingAny("\n", "\r");
            return;
        }
        try {
            Answer answer = ReviewFormat.decode(body);
            assertThat(answer.allowed()).as(text).isEqualTo(expected.allowed());
            assertThat(answer.reason()).hasSizeLessThan(1026).doesNotContain("\n");
        } catch (MalformedAnswerException e) {
            // The client may be stricter, but not more lenient.
            assertThat(expected.allowed()).as("%s: %s", text, e.getMessage()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"namespace", "name", "version"})
    void pathsHaveNoResourceMembers(String member) {
        Access path = Access.path("get", "/x");
        Map<String, Runnable> calls = Map.of(
                "namespace", () -> path.in("n"), "name", () -> path.named("n"), "version", () -> path.version("v1"));
        assertThatThrownBy(calls.getOrDefault(member, () -> {})::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a path has no " + member);
    }
}
