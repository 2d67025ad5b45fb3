package io.plat.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronScheduleTest {
    /** As in kube-apiserver 1.32. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | expected exactly 5 fields, found 1: [x]",
                "* * * * | expected exactly 5 fields, found 4: [* * * *]",
                "61 * * * * | end of range (61) above maximum (59): 61",
                "*/0 * * * * | step of range should be a positive number: */0",
                "5-1 * * * * | beginning of range (5) beyond end of range (1): 5-1",
                "1-2-3 * * * * | too many hyphens: 1-2-3",
                "1/2/3 * * * * | too many slashes: 1/2/3",
                "a * * * * | failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
                "-1 * * * * | failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax",
                "99999999999 * * * * | failed to parse int from 99999999999: strconv.Atoi: parsing \"99999999999\":"
                        + " invalid syntax",
                "* * 0 * * | beginning of range (0) below minimum (1): 0",
                "* * * 13 * | end of range (13) above maximum (12): 13",
                "* * * * 7 | end of range (7) above maximum (6): 7",
                "@often | unrecognized descriptor: @often",
                "@every x | failed to parse duration @every x: time: invalid duration \"x\"",
            })
    void invalidScheduleMessagesMatchKubernetes(String schedule, String problem) {
        assertThat(CronSchedule.problem(schedule)).isEqualTo(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* * * * *",
                "*/5 0-23/2 1,15 jan-Mar MON",
                "0 0 ? * 0",
                "5/15 * * * *",
                "1,,2 * * * *",
                " 0  4 * * 1-5 ",
                "@daily",
                "@every 1h30m",
            })
    void validSchedulesAreAccepted(String schedule) {
        assertThat(CronSchedule.problem(schedule)).isNull();
    }
}
