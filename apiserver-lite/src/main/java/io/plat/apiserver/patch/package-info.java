/**
 * Patches: a description of a change, applied to whatever document is there. JSON patch (RFC 6902), JSON merge patch (RFC 7386) and the
 * field's strategic merge patch, on trees, with bounds on what a small patch may grow into.
 */
@NullMarked
package io.plat.apiserver.patch;

import org.jspecify.annotations.NullMarked;
