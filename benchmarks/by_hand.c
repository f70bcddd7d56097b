/* UCT for Connect Four on 6 by 7, written by hand: what by_hand.py compares Playout with.

   The same search on the same tree as Playout's: rows of 32 bytes, children in blocks of
   two and more (search/tree.py), one random untried child a visit, one random game, means
   backed up; the board as in games/connect_four.py. No other game, no other policy.

   Arguments: simulations, searches, seed. Prints for each search the seconds of processor
   time, the nodes, and the visits of every column. */

#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { ROWS = 6, COLUMNS = 7, HEIGHT = ROWS + 1, DEEPEST = ROWS * COLUMNS + 1 };
enum { NONE = -1, UNKNOWN = -1, TABLE = 1 << 14 };

static const uint64_t BOTTOM = 0x40810204081; /* the lowest cell of every column */
static const uint64_t CELLS = 0x40810204081 * ((1 << ROWS) - 1);
static const double C_UCT = 2;

typedef struct {
    double value_sum; /* for the player who moved into the node */
    uint32_t visits;
    int32_t action, first_child, link;
    int16_t num_children, num_legal;
    int32_t unused; /* what a proof takes in Playout */
} Node;

typedef struct {
    uint64_t mine, occupied; /* stones of the player to move, and all */
} State;

static Node *nodes;
static int num_nodes;
static uint64_t rng;
static double root_of_log[TABLE], inverse_root[TABLE];

static uint64_t next_number(void) {
    uint64_t z = rng += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static uint32_t below(uint32_t n) {
    uint64_t z = (next_number() >> 32) * n;
    if ((uint32_t)z < n && (uint32_t)z < -n % n) return below(n);
    return z >> 32;
}

/* Several draws from one number: what is left of the bits is for the next. */
static uint32_t draw_from(uint64_t *bits, uint32_t n) {
    unsigned __int128 product = (unsigned __int128)*bits * n;
    *bits = product;
    return product >> 64;
}

static uint64_t landing(uint64_t occupied) { return (occupied + BOTTOM) & ~occupied & CELLS; }

/* All four directions at once. */
static int has_line(uint64_t stones) {
    __m256i shifts = _mm256_set_epi64x(1, HEIGHT - 1, HEIGHT, HEIGHT + 1);
    __m256i all = _mm256_set1_epi64x(stones);
    __m256i pairs = _mm256_and_si256(all, _mm256_srlv_epi64(all, shifts));
    __m256i ahead = _mm256_srlv_epi64(pairs, _mm256_slli_epi64(shifts, 1));
    return !_mm256_testz_si256(pairs, ahead);
}

static void put(State *state, uint64_t stone) {
    state->mine ^= state->occupied;
    state->occupied |= stone;
}

static uint64_t nth_bit(uint64_t bits, uint32_t n) { return _pdep_u64(1ull << n, bits); }

static uint64_t column_of(int column) { return 0x7full << HEIGHT * column; }

/* The value for the player who has just moved. The columns that are not full are listed,
   a byte each: where the next move goes does not wait for the board. */
static double random_game(State state) {
    double sign = 1;
    uint64_t free = landing(state.occupied), shifts = 0, bits = 0;
    uint32_t count = 0;
    if (has_line(state.mine ^ state.occupied)) return 1;
    for (int column = 0; column < COLUMNS; column++)
        if (free & column_of(column)) shifts |= (uint64_t)(HEIGHT * column) << 8 * count++;
    for (int plies = 0; count > 0; sign = -sign, plies++) {
        if (plies % 8 == 0) bits = next_number();
        uint32_t place = 8 * draw_from(&bits, count);
        uint64_t column = column_of(0) << (shifts >> place & 63);
        uint64_t stone = free & column;
        if (has_line(state.mine | stone)) return -sign;
        put(&state, stone);
        free = landing(state.occupied);
        if (__builtin_expect(!(free & column), 0)) {
            uint64_t before = (1ull << place) - 1;
            shifts = (shifts & before) | (shifts >> 8 & ~before);
            count--;
        }
    }
    return 0;
}

static int block_size(int before, int in_all) {
    int size = before / 2 > 2 ? before / 2 : 2;
    return size < in_all - before ? size : in_all - before;
}

static int select_child(const Node *parent) {
    uint32_t n = parent->visits;
    double term = C_UCT * (n < TABLE ? root_of_log[n] : sqrt(log(n)));
    double top = -INFINITY;
    int best = NONE, block = parent->first_child;
    for (int done = 0, size; done < parent->num_children; done += size) {
        size = block_size(done, parent->num_children);
        for (int child = block; child < block + size; child++) {
            const Node *row = &nodes[child];
            double root = row->visits < TABLE ? inverse_root[row->visits] : 1 / sqrt(row->visits);
            double score = (row->value_sum * root + term) * root;
            if (score > top) top = score, best = child;
        }
        block = nodes[block].link;
    }
    return best;
}

static int add_child(Node *parent, int column) {
    int before = 0, last = NONE, size = block_size(0, parent->num_legal);
    int block = parent->first_child;
    while (parent->num_children >= before + size) {
        before += size;
        last = block;
        block = nodes[block].link;
        size = block_size(before, parent->num_legal);
    }
    if (parent->num_children == before) {
        block = num_nodes;
        num_nodes += size;
        for (int i = block; i < block + size; i++)
            nodes[i] = (Node){.first_child = NONE, .link = NONE, .num_legal = UNKNOWN};
        if (last == NONE) parent->first_child = block;
        else nodes[last].link = block;
    }
    int child = block + parent->num_children++ - before;
    nodes[child].action = column;
    return child;
}

/* One random untried move; its stone. */
static uint64_t untried(const Node *parent, State state) {
    uint64_t free = landing(state.occupied);
    int block = parent->first_child;
    for (int done = 0, size; done < parent->num_children; done += size) {
        size = block_size(done, parent->num_children);
        for (int child = block; child < block + size; child++)
            free &= ~column_of(nodes[child].action);
        block = nodes[block].link;
    }
    return nth_bit(free, below(_mm_popcnt_u64(free)));
}

static void simulate(void) {
    int path[DEEPEST + 1] = {0}, depth = 0, node = 0;
    State state = {0, 0};
    for (;;) {
        Node *row = &nodes[node];
        if (row->num_legal == UNKNOWN)
            row->num_legal = has_line(state.mine ^ state.occupied)
                                 ? 0
                                 : _mm_popcnt_u64(landing(state.occupied));
        if (row->num_legal == 0) break;
        if (row->num_children < row->num_legal) {
            uint64_t stone = untried(row, state);
            path[++depth] = add_child(row, __builtin_ctzll(stone) / HEIGHT);
            put(&state, stone);
            break;
        }
        path[++depth] = node = select_child(row);
        __builtin_prefetch(&nodes[nodes[node].first_child]);
        put(&state, landing(state.occupied) & column_of(nodes[node].action));
    }
    double value = random_game(state);
    for (; depth >= 0; depth--, value = -value) {
        nodes[path[depth]].visits++;
        nodes[path[depth]].value_sum += value;
    }
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    int simulations = atoi(arguments[1]), searches = atoi(arguments[2]);
    rng = strtoull(arguments[3], NULL, 10);
    for (int n = 1; n < TABLE; n++) {
        root_of_log[n] = sqrt(log(n));
        inverse_root[n] = 1 / sqrt(n);
    }
    size_t bytes = 2 * (1 + (size_t)simulations + COLUMNS) * sizeof(Node);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    nodes = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (nodes == MAP_FAILED) return 1;
    madvise(nodes, bytes, MADV_HUGEPAGE);
    nodes += 2; /* what is before them may be fetched ahead */
    for (int search = 0; search < searches; search++) {
        clock_t began = clock();
        num_nodes = 1;
        nodes[0] = (Node){.first_child = NONE, .link = NONE, .num_legal = UNKNOWN};
        for (int i = 0; i < simulations; i++) simulate();
        printf("%.6f %d", (double)(clock() - began) / CLOCKS_PER_SEC, num_nodes);
        uint32_t visits[COLUMNS] = {0};
        int block = nodes[0].first_child;
        for (int done = 0, size; done < nodes[0].num_children; done += size) {
            size = block_size(done, nodes[0].num_children);
            for (int child = block; child < block + size; child++)
                visits[nodes[child].action] = nodes[child].visits;
            block = nodes[block].link;
        }
        for (int column = 0; column < COLUMNS; column++) printf(" %u", visits[column]);
        printf("\n");
    }
    return 0;
}
