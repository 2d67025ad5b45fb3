package io.plat.apiserver.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.registration.ApiServiceController.Step;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All combinations of desired and actual objects; "-" is none, "own" an unmanaged object. */
class ApiServiceStepTest {
    @ParameterizedTest(name = "expected {0}, actual {1}, processed {2}, initial {3}, same {4}")
    @CsvSource({
        "-,       -,       false, false, false, NOTHING",
        "onstart, -,       false, false, false, CREATE",
        "onstart, -,       true,  false, false, NOTHING",
        "onstart, -,       true,  true,  false, NOTHING",
        "true,    -,       false, false, false, CREATE",
        "true,    -,       true,  true,  false, CREATE",
        "-,       own,     false, true,  false, NOTHING",
        "onstart, own,     false, true,  false, NOTHING",
        "true,    own,     false, false, false, NOTHING",
        "-,       onstart, false, true,  false, DELETE",
        "-,       onstart, true,  true,  false, NOTHING",
        "-,       onstart, false, false, false, NOTHING",
        "onstart, onstart, false, true,  false, UPDATE",
        "onstart, onstart, false, true,  true,  NOTHING",
        "onstart, onstart, true,  true,  false, NOTHING",
        "onstart, onstart, false, false, false, NOTHING",
        "true,    onstart, false, true,  false, UPDATE",
        "true,    onstart, false, false, false, NOTHING",
        "-,       true,    false, false, false, DELETE",
        "-,       true,    true,  true,  false, DELETE",
        "onstart, true,    false, true,  false, UPDATE",
        "onstart, true,    true,  true,  false, NOTHING",
        "true,    true,    true,  false, false, UPDATE",
        "true,    true,    true,  true,  true,  NOTHING",
        "true,    other,   true,  true,  false, NOTHING"
    })
    void matchesKubeApiserver(
            String desired, String there, boolean processed, boolean initial, boolean same, Step expected) {
        Step.ApiServiceState one =
                new Step.ApiServiceState(label(desired), label(there), !"-".equals(there), processed, initial, same);
        assertThat(Step.of(one)).isEqualTo(expected);
    }

    private static String label(String word) {
        return word.equals("-") || word.equals("own") ? "" : word;
    }
}
