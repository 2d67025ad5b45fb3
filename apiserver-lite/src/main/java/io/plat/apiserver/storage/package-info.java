/**
 * Where objects live: one ordered map from keys to bytes under one global revision, with its recent history.
 *
 * <p>{@link io.plat.apiserver.storage.ObjectStore} is the whole contract, and the conformance suite of the tests module its
 * definition. Beside it stands what backends share: {@link io.plat.apiserver.storage.VersionedMemory}, which serves reads, past states and
 * watches, whatever it is that makes changes durable. Backends have packages of their own. Values are opaque: nothing here knows what an
 * object is, no HTTP, no JSON. May depend on the JDK alone.
 */
@NullMarked
package io.plat.apiserver.storage;

import org.jspecify.annotations.NullMarked;
