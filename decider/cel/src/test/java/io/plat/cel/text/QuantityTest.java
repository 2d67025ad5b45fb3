package io.plat.cel.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Canonical quantities, as kube-apiserver writes them. */
class QuantityTest {
    /** The plain definition. */
    private static final Pattern FORM = Pattern.compile(
            "[+-]?([0-9]{1,64}(\\.[0-9]{0,64})?|\\.[0-9]{1,64})([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,3})?");

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "0Gi,0",
        "-0,0",
        "1,1",
        "+1,1",
        "0.5,500m",
        ".5,500m",
        "1.5,1500m",
        "100m,100m",
        "1000m,1",
        "0.1m,100u",
        "1000,1k",
        "1024,1024",
        "12000000,12M",
        "1500k,1500k",
        "1E,1E",
        "1024Mi,1Gi",
        "1.5Gi,1536Mi",
        "1000Ki,1000Ki",
        "0.5Ki,512",
        "1Ei,1Ei",
        "-2048Ki,-2Mi",
        "1e3,1e3",
        "1E3,1e3",
        "15e2,1500",
        "1e-3,1e-3",
        "12e7,120e6",
        "1.0000000001,1000000001n",
        "0.0000000001,1n",
        "1.3Ki,1332",
        "9E999,9e999",
        "-100E,-100E",
        "9223372036854775808,9223372036854775808",
    })
    void hasACanonicalForm(String text, String canonical) {
        assertThat(Quantity.canonical(text)).isEqualTo(canonical);
        assertThat(Quantity.canonical(canonical)).isEqualTo(canonical);
    }

    @Property
    void theCanonicalFormHasTheSameAmount(@ForAll("quantities") String text) {
        String canonical = Quantity.canonical(text);

        // An amount of no binary suffix is left without one, and is one of the decimal kind for the next reader.
        String read = Quantity.canonical(canonical);
        assertThat(Quantity.canonical(read)).isEqualTo(read);
        if (!text.endsWith("i")) {
            assertThat(read).isEqualTo(canonical);
        }
        BigDecimal amount = Quantity.amount(text);
        boolean whole = amount.stripTrailingZeros().scale() <= 0;
        boolean countable = amount.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        if (countable
                && (whole || (!text.endsWith("i") && amount.stripTrailingZeros().scale() <= 9))) {
            assertThat(Quantity.amount(canonical)).isEqualByComparingTo(amount);
        }
    }

    /** With a sign an amount is read the long way. */
    @Property
    void theFastPathAgrees(@ForAll("quantities") String text) {
        if (!text.startsWith("-") && !text.startsWith("+")) {
            assertThat(Quantity.canonical(text)).isEqualTo(Quantity.canonical("+" + text));
        }
    }

    @Property
    void matchesTheExpressionInMessages(@ForAll("anything") String text) {
        assertThat(Quantity.isQuantity(text)).isEqualTo(FORM.matcher(text).matches());
    }

    @Provide
    Arbitrary<String> anything() {
        Arbitrary<String> any =
                Arbitraries.strings().withChars("0123456789.+-eEinumkKMGTP x").ofMaxLength(8);
        return Arbitraries.oneOf(
                any, quantities(), Combinators.combine(quantities(), any).as((one, two) -> one + two));
    }

    @Provide
    Arbitrary<String> quantities() {
        return Combinators.combine(
                        Arbitraries.of("", "-", "+"),
                        Arbitraries.longs().between(0, 1L << 40),
                        Arbitraries.of("", ".", ".0", ".5", ".125", ".000001"),
                        Arbitraries.of(
                                "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
                                "e3", "E-2", "e+7"))
                .as((sign, number, fraction, suffix) -> sign + number + fraction + suffix);
    }
}
