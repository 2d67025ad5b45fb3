/**
 * Audit policy: the level at which requests are recorded, and the stages. The first matching rule decides; a request that matches none is
 * not recorded. Read from a file, with all problems reported at once. Depends only on request attributes.
 */
@NullMarked
package io.plat.apiserver.audit.policy;

import org.jspecify.annotations.NullMarked;
