package io.plat.engine.decided;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecMaskTest {
    private static final Attributes ASKED = new Attributes(Samples.ALICE, Samples.PODS);

    private static SpecMask mask(String... paths) {
        return new SpecMask(
                Stream.of(paths).map(path -> SpecField.of(path).orElseThrow()).collect(Collectors.toSet()));
    }

    @Test
    void withoutFieldsNothingIsTouched() {
        assertThat(mask().apply(ASKED)).isEqualTo(new SpecMask.Masked(ASKED, Set.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user | alice",
                "uid | u-42",
                "groups | developers staff",
                "extra | read write s3cret",
                "extra.scopes | read write",
                "extra.example.com/token | s3cret",
                "resourceAttributes.namespace | team-a",
                "resourceAttributes.name | web-0",
                "resourceAttributes.fieldSelector | spec.nodeName=n1",
                "resourceAttributes.labelSelector | payroll web",
            })
    void exactlyTheFieldsValuesAreHidden(String path, String values) {
        List<String> hidden = List.of(values.split(" "));
        SpecMask.Masked masked = mask(path).apply(ASKED);
        assertThat(masked.hidden()).containsExactlyInAnyOrderElementsOf(hidden);
        assertThat(masked.shown().toString()).contains(SpecMask.MARK);
        Stream.of("alice", "u-42", "developers", "staff", "read", "write", "s3cret", "team-a", "web-0", "payroll")
                .forEach(value -> assertThat(masked.shown().toString().contains(value))
                        .as(value)
                        .isNotEqualTo(hidden.contains(value)));
    }

    @Test
    void keysOfExtraAreShownAndHowManyValuesTheyHadIsNot() {
        assertThat(mask("extra").apply(ASKED).shown().user().extra())
                .isEqualTo(Map.of(
                        "scopes", List.of(SpecMask.MARK),
                        "example.com/token", List.of(SpecMask.MARK)));
    }

    @Test
    void whatWasNotAskedStaysAbsent() {
        Attributes bare =
                new Attributes(new UserInfo("", List.of()), new ResourceAttributes("", "list", "", "", "pods", "", ""));
        SpecMask all = mask("user", "uid", "groups", "extra", "resourceAttributes.name");
        assertThat(all.apply(bare)).isEqualTo(new SpecMask.Masked(bare, Set.of()));
    }

    @Test
    void pathsAreMasked() {
        Attributes asked = new Attributes(Samples.ALICE, new NonResourceAttributes("/reset/t0ken", "get"));
        assertThat(mask("nonResourceAttributes.path").apply(asked).shown().access())
                .isEqualTo(new NonResourceAttributes(SpecMask.MARK, "get"));
    }

    @Test
    void aTextThatHoldsAMaskedValueIsMaskedWhole() {
        SpecMask.Masked masked = mask("user", "uid").apply(ASKED);
        assertThat(masked.text("User \"alice\" may not")).isEqualTo(SpecMask.MARK);
        assertThat(masked.text("Group \"staff\" may")).isEqualTo("Group \"staff\" may");
        assertThat(masked.text("")).isEmpty();
        assertThat(masked.name("alice")).isEqualTo(SpecMask.MARK);
        assertThat(masked.name("alice-server")).isEqualTo("alice-server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "verb", "resourceAttributes", "resourceAttributes.verb", "extra.", "User", "group"})
    void otherFieldsCannotBeMasked(String path) {
        assertThat(SpecField.of(path)).isEmpty();
    }

    @Test
    void onlyExtraHasKeys() {
        assertThatThrownBy(() -> new SpecField(SpecField.Name.USER, "key"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
