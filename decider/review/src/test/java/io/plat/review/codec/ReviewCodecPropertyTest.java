package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ReviewCodecPropertyTest {
    private static final Arbitrary<String> LABELS = Arbitraries.of("a", "app", "a.b_C", "x-1", "0");

    private final ReviewCodec codec = new ReviewCodec();

    @Property
    void aResponseCanBeReadAsItsReview(@ForAll("reviews") AccessReview review, @ForAll boolean allowed)
            throws Exception {
        byte[] answer = codec.encodeResponse(review, ReviewStatus.of(allowed, "why"));
        assertThat(codec.decode(answer, expectationOf(review))).isEqualTo(review);
        if (review.kind() == ReviewKind.SUBJECT_ACCESS_REVIEW) {
            assertThat(codec.decode(answer, Expectation.ANY_SUBJECT_ACCESS_REVIEW))
                    .isEqualTo(review);
            assertThat(codec.decodeResponse(answer, review.version())).isEqualTo(ReviewStatus.of(allowed, "why"));
        }
    }

    @Property
    void aRequestRoundTripsThroughARemoteDecider(@ForAll("reviews") AccessReview review, @ForAll ReviewVersion version)
            throws Exception {
        UserInfo caller = new UserInfo("asker", List.of("g"));
        Attributes attributes = review.attributes(caller);
        byte[] request = codec.encodeRequest(version, attributes);
        AccessReview read = codec.decode(request, Expectation.ANY_SUBJECT_ACCESS_REVIEW);
        assertThat(read.attributes(new UserInfo("nobody", List.of()))).isEqualTo(attributes);
        assertThat(read.version()).isEqualTo(version);
    }

    @Property
    void equalReviewsAreEqualBytes(@ForAll("reviews") AccessReview review) throws Exception {
        byte[] once = codec.encodeResponse(review, ReviewStatus.of(true, ""));
        byte[] again = codec.encodeResponse(codec.decode(once, expectationOf(review)), ReviewStatus.of(true, ""));
        assertThat(again).isEqualTo(once);
    }

    @Property
    void anyBytesAreAReviewOrAStatus(@ForAll byte[] body) {
        readOrRefuse(body);
    }

    @Property
    void aChangedByteIsAReviewOrAStatus(
            @ForAll("reviews") AccessReview review, @ForAll @IntRange(max = 10_000) int position, @ForAll byte value) {
        byte[] body = codec.encodeResponse(review, ReviewStatus.of(true, ""));
        body[position % body.length] = value;
        readOrRefuse(body);
    }

    @Property
    void aTruncatedReviewIsRefused(@ForAll("reviews") AccessReview review, @ForAll @IntRange(max = 10_000) int cut) {
        byte[] body = codec.encodeResponse(review, ReviewStatus.of(true, ""));
        byte[] start = Arrays.copyOf(body, cut % body.length);
        assertThat(readOrRefuse(start)).isFalse();
    }

    @Property
    void shuffledPiecesAreAReviewOrAStatus(@ForAll("pieces") @Size(max = 40) List<String> pieces) {
        readOrRefuse(String.join("", pieces).getBytes(StandardCharsets.UTF_8));
    }

    @Provide
    Arbitrary<List<String>> pieces() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        ":",
                        "null",
                        "true",
                        "1",
                        "\"\"",
                        "\"spec\":",
                        "\"user\":",
                        "\"groups\":",
                        "\"group\":",
                        "\"extra\":",
                        "\"resourceAttributes\":",
                        "\"nonResourceAttributes\":",
                        "\"verb\":",
                        "\"labelSelector\":",
                        "\"requirements\":",
                        "\"values\":",
                        "\"apiVersion\":",
                        "\"kind\":",
                        "\"authorization.k8s.io/v1\"",
                        "\"SubjectAccessReview\"",
                        "\"a\"",
                        "{}",
                        "[]")
                .list()
                .ofMaxSize(40);
    }

    /** Decodes a body and returns whether it is valid; a refusal must be a Status that can be sent. */
    private boolean readOrRefuse(byte[] body) {
        boolean read = false;
        for (Expectation expected : List.of(
                Expectation.ANY_SUBJECT_ACCESS_REVIEW,
                Expectation.at(ReviewVersion.K8S_V1, ReviewKind.SUBJECT_ACCESS_REVIEW),
                Expectation.at(ReviewVersion.PLAT_V1BETA1, ReviewKind.SELF_SUBJECT_ACCESS_REVIEW),
                Expectation.local(ReviewVersion.K8S_V1BETA1, "demo"))) {
            try {
                codec.decode(body, expected);
                read = true;
            } catch (StatusException e) {
                assertThat(e.status().code()).isIn(400, 413, 422);
                assertThat(StatusCodec.decode(StatusCodec.encode(e.status()))).contains(e.status());
            }
        }
        try {
            codec.decodeResponse(body, ReviewVersion.K8S_V1);
        } catch (MalformedResponseException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
        }
        return read;
    }

    private static Expectation expectationOf(AccessReview review) {
        return review.kind() == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW
                ? Expectation.local(review.version(), ((ResourceAttributes) review.access()).namespace())
                : Expectation.at(review.version(), review.kind());
    }

    @Provide
    Arbitrary<AccessReview> reviews() {
        Arbitrary<AccessAttributes> paths =
                Combinators.combine(texts(), texts()).as(NonResourceAttributes::new);
        Arbitrary<AccessAttributes> any = Arbitraries.oneOf(List.of(paths, resources(texts())));
        return Arbitraries.of(ReviewKind.class)
                .flatMap(kind -> Combinators.combine(
                                Arbitraries.of(ReviewVersion.class),
                                users(),
                                kind == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW
                                        ? resources(
                                                Arbitraries.strings().alpha().ofMinLength(1))
                                        : any)
                        .as((version, user, access) ->
                                new AccessReview(kind, version, kind.namesSubject() ? user : null, access)));
    }

    private static Arbitrary<UserInfo> users() {
        return Combinators.combine(
                        texts().filter(text -> !text.isEmpty()),
                        texts(),
                        texts().list().ofMaxSize(3),
                        Arbitraries.maps(texts(), texts().list().ofMaxSize(2)).ofMaxSize(3))
                .as(UserInfo::new);
    }

    private static Arbitrary<AccessAttributes> resources(Arbitrary<String> namespaces) {
        return Combinators.combine(
                        namespaces,
                        texts(),
                        texts(),
                        texts(),
                        texts(),
                        texts(),
                        selectors(texts().map(key -> "k" + key), texts()).injectNull(0.5),
                        selectors(LABELS, LABELS).injectNull(0.5))
                .as((namespace, verb, group, version, resource, name, fields, labels) -> new ResourceAttributes(
                        namespace, verb, group, version, resource, "sub" + name, name, fields, labels));
    }

    private static Arbitrary<SelectorAttributes> selectors(Arbitrary<String> keys, Arbitrary<String> values) {
        Arbitrary<Requirement> requirement =
                Combinators.combine(keys, texts(), values.list().ofMaxSize(2)).as(Requirement::new);
        return Arbitraries.oneOf(
                texts().filter(text -> !text.isEmpty()).map(raw -> new SelectorAttributes(raw, List.of())),
                requirement
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(3)
                        .map(requirements -> new SelectorAttributes("", requirements)));
    }

    /** Mostly characters of names, and all other well-formed ones. */
    private static Arbitrary<String> texts() {
        Arbitrary<String> wild = Arbitraries.strings()
                .ofMaxLength(8)
                .map(text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        return Arbitraries.oneOf(
                Arbitraries.of("", "*", "pods", "get", "system:masters", "a/b", "\"", "\\", "\u0000", "😀"), wild);
    }
}
