package io.plat.engine.webhook;

import io.plat.review.Attributes;

/** Whoever answers questions and may say by which policy. Safe for any number of threads. */
@FunctionalInterface
interface AnswerSource {
    /** The answer to one question. Never null; the calling thread waits for it. */
    Answer ask(Attributes attributes);
}
