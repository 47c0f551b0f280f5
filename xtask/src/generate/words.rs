//! A vocabulary with the shape of natural text: a few words everywhere, a long tail of rare ones,
//! and word families that share a stem, so that the index does the work it does on a real vault.

use super::random::Random;

/// The words that carry no subject, most frequent first.
const FUNCTION_WORDS: &str = "the of and to a in is that it for on with as was be at by this are or from an have not but they \
    which you we can has were their been will there when more if no out so what up about into than them only some could time";

/// Word stems of the kind notes are full of; each brings its regular forms.
const STEMS: &str = "account agenda alert answer archive audit backup balance battery benefit board border branch bridge budget \
    build cable calendar campaign card certificate chain chapter check claim client cloud cluster collect column comment \
    commit compare concept config connect contact content context contract control cook cost course cover credit custom \
    data deadline debt debug decide default delay deliver demand deploy design desk detail device diagram diet digest dinner \
    discount discover disk doctor document domain draft dream drive edit effort email enable energy engine enter error \
    estimate event example exercise expect expense expert explain export factor feature fetch field filter finance flight \
    focus folder follow forecast forest format forum friend garden gather goal graph group growth guide habit handle harvest \
    headline health history holiday host hotel idea import improve index inform insight install insure interest invest \
    invite invoice island issue journal journey kernel kitchen label language launch layer learn lecture ledger lesson \
    letter level library license limit link list load log machine manage manual map market master matter measure medicine \
    meeting member memory mentor menu merge message method metric migrate minute mirror mission model module moment monitor \
    month morning mountain move museum music network note notice number object offer office operate option orchard order \
    organ outline output owner package page paint panel paper parent partner passage password patch pattern payment \
    permission person phone photo phrase picture pipeline plan planet plant platform player plugin podcast point policy \
    portal practice present press price print priority problem process product profile program progress project prompt \
    proof property protect provide publish purchase purpose quality quarter query question queue quote reason rebuild \
    recipe record recover reduce refer reflect refund region register relate release remind remote renew repair repeat \
    reply report request research reserve resource respond restore result return review reward river road role room rotate \
    route routine rule salary sample schedule school science scope score screen script search season section secure select \
    sensor sentence server service session setting share shelf shift signal sketch snapshot software solution source space \
    spring staff stage standard start statement station storage store story strategy stream street structure student study \
    subject submit summary summer supply support survey switch symbol system table target task teach team template tension \
    term test theme theory thread ticket timer token tool topic tower track trade train transfer travel trend trigger trust \
    tunnel tutor unit update upgrade vacation value vault vector vendor version video village vision visit volume walk \
    warehouse warning water weather website weekend window winter wire wisdom workflow workshop writer yield zone";

/// Endings of the regular forms, for stems in `e` and others.
const ENDINGS: [&str; 4] = ["", "s", "ed", "ing"];

const ONSETS: [&str; 20] =
    ["b", "br", "c", "ch", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v"];
const NUCLEI: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ea", "ou"];
const CODAS: [&str; 10] = ["", "n", "r", "l", "s", "t", "nd", "m", "ck", "rt"];

/// How many made-up words make the tail: names, products, jargon.
const TAIL: usize = 30_000;

/// All words, most frequent first, with the sampling table.
pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// Where the words begin that carry a subject.
    subjects_from: usize,
    /// Cumulative Zipf–Mandelbrot weights: that of rank r is 1 / (r + 2.7)^1.125.
    cumulative: Vec<f64>,
}

impl Vocabulary {
    pub(crate) fn new(seed: u64) -> Self {
        let mut words: Vec<String> = FUNCTION_WORDS.split_whitespace().map(str::to_owned).collect();
        let subjects_from = words.len();
        for ending in ENDINGS {
            words.extend(STEMS.split_whitespace().map(|stem| inflect(stem, ending)));
        }
        let mut random = Random::new(seed, u64::MAX);
        words.extend((0..TAIL).map(|_| {
            let syllables = random.between(2, 3);
            (0..syllables)
                .map(|_| [random.pick(&ONSETS), random.pick(&NUCLEI), random.pick(&CODAS)].concat())
                .collect::<String>()
        }));
        let mut sum = 0.0;
        let cumulative = (0..words.len())
            .map(|rank| {
                let place = rank as f64 + 2.7;
                // Square roots are exact on every machine; `powf` is not.
                sum += 1.0 / (place * place.sqrt().sqrt().sqrt());
                sum
            })
            .collect();
        Self { words, subjects_from, cumulative }
    }

    /// A word of running text.
    pub(crate) fn word(&self, random: &mut Random) -> &str {
        self.sample(random, 0)
    }

    /// A word that carries a subject.
    pub(crate) fn subject(&self, random: &mut Random) -> &str {
        self.sample(random, self.subjects_from)
    }

    /// Whether the word carries a subject.
    pub(crate) fn is_subject(&self, word: &str) -> bool {
        !self.words.iter().take(self.subjects_from).any(|function_word| function_word == word)
    }

    fn sample(&self, random: &mut Random, from: usize) -> &str {
        let weight_before =
            from.checked_sub(1).and_then(|rank| self.cumulative.get(rank)).copied().unwrap_or_default();
        let total = self.cumulative.last().copied().unwrap_or_default();
        let target = weight_before + random.unit() * (total - weight_before);
        let rank = self.cumulative.partition_point(|sum| *sum <= target);
        self.words.get(rank).or(self.words.last()).map_or("", String::as_str)
    }
}

fn inflect(stem: &str, ending: &str) -> String {
    match (stem.strip_suffix('e'), ending) {
        (Some(shorter), "ed" | "ing") => format!("{shorter}{ending}"),
        _ => format!("{stem}{ending}"),
    }
}
